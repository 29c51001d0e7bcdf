// A vitest reporter that counts strictly and writes the counts to the file YUANBOT_TEST_COUNTS names. Passed is
// a test that ran and held. Failed is everything else that was asked for: a test that failed, was skipped, is
// to do or is expected to fail; a file that does not load; a hook that throws; an error outside any test.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default class TestCounts {
  onTestRunEnd(modules, strayErrors) {
    let passed = 0;
    const failures = [];
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      for (const test of module.children.allTests()) {
        const verdict = judge(test);
        if (verdict === 'passed') passed += 1;
        else failures.push(`${file} > ${test.fullName}: ${verdict}`);
      }
      const broken = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
      for (const error of broken) failures.push(`${file}: ${error.message}`);
    }
    for (const error of strayErrors) failures.push(`outside any test: ${error.message}`);
    writeFileSync(process.env.YUANBOT_TEST_COUNTS, JSON.stringify({ passed, failures }));
  }
}

function judge(test) {
  const { state } = test.result();
  if (test.options.fails) return 'expected to fail';
  if (state === 'skipped' || state === 'pending') return test.options.mode === 'todo' ? 'to do' : 'did not run';
  return state;
}
