'use strict';

// The tool protocol, oneshot: one JSON line on stdin, one JSON line on stdout.

const { createInterface } = require('node:readline');
const { measure } = require('./text_stats.js');

function answer(line) {
  try {
    return { type: 'result', content: measure(JSON.parse(line).params, Intl) };
  } catch (error) {
    return { type: 'error', message: error.message };
  }
}

const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
lines.once('line', (line) => {
  process.stdout.write(`${JSON.stringify(answer(line))}\n`);
  lines.close();
});
