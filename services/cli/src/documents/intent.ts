import { parseKeepingNumbers } from '@yuanbot/contract';
import type { LoadedSkill, LoadedTool, LoadForIntentResponse } from '@yuanbot/proto/capability';
import { levelName } from './names.ts';

/** What would be chosen, without what it says. */
export function matchDocument(loaded: LoadForIntentResponse) {
  return intentDocument(loaded, chosenSkill, chosenTool);
}

/** What a turn gets, whole. */
export function loadDocument(loaded: LoadForIntentResponse) {
  return intentDocument(
    loaded,
    (skill) => ({
      ...chosenSkill(skill),
      prompt: skill.prompt,
      allowed_tools: skill.allowedTools,
      resources: skill.resources.map(({ path, size, digest, mediaType }) => ({
        path,
        size: Number(size),
        digest,
        media_type: mediaType,
      })),
    }),
    (tool) => ({ ...chosenTool(tool), definition: parseKeepingNumbers(tool.definitionJson) }),
  );
}

function intentDocument<S, T>(loaded: LoadForIntentResponse, skill: (skill: LoadedSkill) => S, tool: (tool: LoadedTool) => T) {
  const { tokens } = loaded;
  return {
    skills: loaded.skills.map(skill),
    tools: loaded.tools.map(tool),
    deactivated_skills: loaded.deactivatedSkills,
    abstained: loaded.abstained,
    tokens: {
      index: tokens?.index ?? 0,
      skills: tokens?.skills ?? 0,
      tools: tokens?.tools ?? 0,
      all_skills: tokens?.allSkills ?? 0,
      all_tools: tokens?.allTools ?? 0,
    },
  };
}

function chosenSkill({ id, name, version, score, tokens }: LoadedSkill) {
  return { id, name, version, score, tokens };
}

function chosenTool({ id, callName, permissionLevel, score, tokens }: LoadedTool) {
  return { id, call_name: callName, permission_level: levelName(permissionLevel), score, tokens };
}
