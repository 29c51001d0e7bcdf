import './abort';
import { Conversion } from './conversion';
import { convert } from './convert';
import { writeString } from './json-string';
import { Reader } from './reader';
import { readRequest } from './request';
import { readAll, STDOUT, writeAll } from './stdio';
import { TextBuilder } from './text-builder';

// A WASI command: reads the envelope line on stdin, prints one result line on stdout (the tool protocol).

function errorLine(message: string): string {
  const line = new TextBuilder();
  line.text('{"type":"error","message":');
  writeString(line, message);
  line.text('}\n');
  return line.toString();
}

function resultLine(conversion: Conversion): string {
  const line = new TextBuilder();
  line.text('{"type":"result","content":{"output":');
  writeString(line, conversion.out.toString());
  if (conversion.hasTable) {
    line.text(`,"rows":${conversion.rows.toString()}`);
    line.text(`,"columns":${conversion.columns.toString()}`);
  }
  line.text('}}\n');
  return conversion.out.full || line.full
    ? errorLine('The converted text is too long; convert the data in parts')
    : line.toString();
}

function answer(): string {
  const envelope = new Reader(readAll());
  const request = readRequest(envelope);
  if (envelope.failed) return errorLine(`The call could not be read: ${envelope.describeProblem()}`);
  const input = new Reader(request.input);
  const conversion = convert(input, request);
  return input.failed ? errorLine(input.describeProblem()) : resultLine(conversion);
}

writeAll(STDOUT, answer());
