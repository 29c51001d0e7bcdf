import {
  Composer,
  type Document,
  type DocumentOptions,
  Lexer,
  type LineCounter,
  type ParseOptions,
  Parser,
  type SchemaOptions,
} from 'yaml';

export type ParsedYaml =
  | { readonly documents: readonly Document[] }
  /** Offset in the text of the first bracket or indicator that is nested too deep. */
  | { readonly tooDeepAt: number };

interface YamlSyntax {
  /** Told of each line. */
  readonly lines: LineCounter;
  /** Collections in one another. What is a level or two deeper may pass. */
  readonly maxDepth: number;
  readonly options: ParseOptions & DocumentOptions & SchemaOptions;
}

/** What the parser's stack holds beside collections: the document and a scalar. */
const BESIDE_COLLECTIONS = 2;

/**
 * Parses a text as YAML, at most two documents. The parser keeps a stack of its own, but what composes values of its tokens
 * calls itself for each level: a text of nothing but brackets would overflow the stack there, so depth is looked at first.
 */
export function parseYaml(text: string, { lines, maxDepth, options }: YamlSyntax): ParsedYaml {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > maxDepth + BESIDE_COLLECTIONS) return { tooDeepAt: parser.offset };
  }
  tokens.push(...parser.end());
  const composed = new Composer(options).compose(tokens, true, text.length);
  return { documents: [...composed.take(2)] };
}
