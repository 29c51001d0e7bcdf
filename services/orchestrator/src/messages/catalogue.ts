/**
 * Everything an end user or a model reads, in Chinese and English, in one place. Sentences say what
 * happened and what to do next; they never carry a stack, a token or a path of the platform.
 */

export const LOCALES = ['zh', 'en'] as const;
export type Locale = (typeof LOCALES)[number];

type Sentence = (values: Readonly<Record<string, string>>) => string;
type Entry = Readonly<Record<Locale, Sentence>>;

const CATALOGUE = {
  toolNotFound: {
    zh: ({ tool }) => `没有名为“${tool}”的工具。请从提供的工具中选择。`,
    en: ({ tool }) => `There is no tool named "${tool}". Choose one of the tools you were given.`,
  },
  toolNotFoundDidYouMean: {
    zh: ({ tool, nearest }) => `没有名为“${tool}”的工具。是不是“${nearest}”？`,
    en: ({ tool, nearest }) => `There is no tool named "${tool}". Did you mean "${nearest}"?`,
  },
  skillIsNoTool: {
    zh: ({ tool }) => `“${tool}”是技能，不是工具，不能被调用。`,
    en: ({ tool }) => `"${tool}" is a skill, not a tool; it cannot be called.`,
  },
  toolDisabled: {
    zh: ({ tool }) => `工具“${tool}”已停用。`,
    en: ({ tool }) => `The tool "${tool}" is switched off.`,
  },
  toolBroken: {
    zh: ({ tool, problem }) => `工具“${tool}”的定义有问题，暂时不能调用：${problem}`,
    en: ({ tool, problem }) => `The tool "${tool}" cannot be called because its definition has a problem: ${problem}`,
  },
  needsAdmin: {
    zh: ({ tool }) => `工具“${tool}”只允许管理员使用。`,
    en: ({ tool }) => `The tool "${tool}" may be used by administrators only.`,
  },
  nobodyToAsk: {
    zh: ({ tool }) => `调用“${tool}”需要用户确认，但目前没有可以询问用户的渠道，因此没有执行。`,
    en: ({ tool }) => `Calling "${tool}" needs the user's confirmation, and there is no channel to ask on; nothing was run.`,
  },
  paramsNoJson: {
    zh: ({ detail }) => `参数不是合法的 JSON：${detail}`,
    en: ({ detail }) => `The parameters are not valid JSON: ${detail}`,
  },
  paramsNoObject: {
    zh: () => '参数必须是一个 JSON 对象，例如 {"city":"北京"}。',
    en: () => 'The parameters must be a JSON object, for example {"city":"Beijing"}.',
  },
  paramsTooLarge: {
    zh: ({ size, limit }) => `参数过大：${size} 字节，最多 ${limit} 字节。`,
    en: ({ size, limit }) => `The parameters are too large: ${size} bytes, at most ${limit} are allowed.`,
  },
  paramsTooDeep: {
    zh: ({ limit }) => `参数嵌套过深，最多 ${limit} 层。`,
    en: ({ limit }) => `The parameters are nested too deeply; at most ${limit} levels are allowed.`,
  },
  paramsInexactNumber: {
    zh: ({ number }) => `数字 ${number} 超出精确范围，请改用字符串传递。`,
    en: ({ number }) => `The number ${number} cannot be represented exactly; pass it as a string.`,
  },
  paramsIllFormedText: {
    zh: () => '参数中含有不完整的 Unicode 字符（孤立的代理项）。',
    en: () => 'The parameters contain ill-formed Unicode (a lone surrogate).',
  },
  paramsInvalid: {
    zh: ({ problems }) => `参数不正确：${problems}`,
    en: ({ problems }) => `The parameters are not valid: ${problems}`,
  },
  problemRequired: {
    zh: ({ pointer }) => `${pointer} 是必填项`,
    en: ({ pointer }) => `${pointer} is required`,
  },
  problemUnknown: {
    zh: ({ pointer }) => `${pointer} 不是该工具的参数`,
    en: ({ pointer }) => `${pointer} is not a parameter of this tool`,
  },
  problemType: {
    zh: ({ pointer, type }) => `${pointer} 的类型应为 ${type}`,
    en: ({ pointer, type }) => `${pointer} must be of type ${type}`,
  },
  problemEnum: {
    zh: ({ pointer, values }) => `${pointer} 只能是 ${values} 之一`,
    en: ({ pointer, values }) => `${pointer} must be one of ${values}`,
  },
  problemOther: {
    zh: ({ pointer, detail }) => `${pointer} ${detail}`,
    en: ({ pointer, detail }) => `${pointer} ${detail}`,
  },
  problemMore: {
    zh: ({ count }) => `另有 ${count} 处`,
    en: ({ count }) => `and ${count} more`,
  },
  linkLost: {
    zh: () => '执行过程中与沙盒管理器的连接中断，无法确定工具是否已经执行。',
    en: () => 'The connection to the sandbox manager was lost while the call ran; whether the tool took effect is not known.',
  },
  cancelled: {
    zh: () => '调用已取消。',
    en: () => 'The call was cancelled.',
  },
  internal: {
    zh: () => '平台内部出错，请稍后重试。',
    en: () => 'The platform failed while it ran this call. Try again later.',
  },
  sandboxSays: {
    zh: ({ headline, detail }) => `${headline}（${detail}）`,
    en: ({ detail }) => detail ?? '',
  },
} as const satisfies Record<string, Entry>;

export type SentenceKey = keyof typeof CATALOGUE;

/** The sentence in the asked language. */
export function say(locale: Locale, key: SentenceKey, values: Readonly<Record<string, string>> = {}): string {
  return (CATALOGUE[key] as Entry)[locale](values);
}

/** `locale` of a request: zh unless it says en (also `en-GB`); the seeds' users speak Chinese. */
export function toLocale(text: string): Locale {
  return /^en\b/i.test(text) ? 'en' : 'zh';
}
