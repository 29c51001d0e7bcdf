/** What each worker thread of the thread sandbox loads: locks the realm down, then takes calls. */
import 'ses';
import { serveRuntime } from '@yuanbot/host/runtime';
import { createThreadRuntime } from './thread-runtime.ts';

// What a tool left behind may be rejected after its call, with nobody left to care. It is the tool's own, and must
// not take the thread from the next call.
process.on('unhandledRejection', () => {});

lockdown({
  // Traps would end the process, and console and reports would write into it, on behalf of tool code.
  errorTrapping: 'none',
  unhandledRejectionTrapping: 'none',
  consoleTaming: 'unsafe',
  reporting: 'none',
});

serveRuntime(createThreadRuntime());
