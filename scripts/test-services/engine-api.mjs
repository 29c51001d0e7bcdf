// The few calls to a Docker engine that the set-up needs, over its unix socket. (Debian's docker.io brings no
// client of its own from version 26 on.)
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';

const API = '/v1.41'; // the oldest engine in use: Debian 12's 20.10
const ANSWER_DEADLINE_MS = 2_000;
/** A pull without a word for this long is given up (ms): the registry cannot be reached. */
const PULL_SILENCE_MS = 10_000;

/** Whether an engine answers on this socket. Never throws. */
export async function engineAnswers(socket) {
  try {
    const response = await send(socket, 'GET', '/_ping', { silenceMs: ANSWER_DEADLINE_MS });
    return response.status === 200;
  } catch {
    return false; // not listening yet
  }
}

/** Whether the engine has this image. */
export async function hasImage(socket, reference) {
  const response = await send(socket, 'GET', `${API}/images/${encodeURIComponent(reference)}/json`);
  return response.status === 200;
}

/**
 * Tries to pull an image.
 * @returns {Promise<string>} empty, or why it could not be pulled
 */
export async function pullImage(socket, name, tag) {
  try {
    const query = new URLSearchParams({ fromImage: name, tag });
    const response = await send(socket, 'POST', `${API}/images/create?${query}`, { silenceMs: PULL_SILENCE_MS });
    return failureIn(response);
  } catch (error) {
    return error.message;
  }
}

/**
 * Makes an image of one layer out of a root file system.
 * @param {import('node:stream').Readable} tar
 * @param {string[]} changes Dockerfile instructions: CMD, ENV, …
 * @throws {Error} with the engine's words
 */
export async function importImage(socket, name, tag, tar, changes) {
  const query = new URLSearchParams({ fromSrc: '-', repo: name, tag });
  for (const change of changes) query.append('changes', change);
  const failure = failureIn(await send(socket, 'POST', `${API}/images/create?${query}`, { body: tar }));
  if (failure !== '') throw new Error(`The engine could not import ${name}:${tag}: ${failure}`);
}

/** The engine answers 200 and reports later failures as a JSON line with `error`. */
function failureIn({ status, text }) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const answers = lines.map((line) => JSON.parse(line));
  if (status !== 200) return answers[0]?.message ?? `status ${status}`;
  return answers.find((answer) => answer.error !== undefined)?.error ?? '';
}

function send(socketPath, method, path, { body, silenceMs } = {}) {
  return new Promise((done, fail) => {
    const headers = body ? { 'content-type': 'application/x-tar' } : {};
    const outgoing = request({ socketPath, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => done({ status: response.statusCode, text }));
      response.on('error', fail);
    });
    outgoing.on('error', fail);
    if (silenceMs) outgoing.setTimeout(silenceMs, () => outgoing.destroy(new Error(`no answer within ${silenceMs / 1000} s`)));
    if (body) pipeline(body, outgoing).catch(fail);
    else outgoing.end();
  });
}
