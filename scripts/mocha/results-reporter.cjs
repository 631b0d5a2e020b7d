// Prints as `spec` does, and writes what became of each test to the file that the option `file` names, as JSON:
// {passed, failed, skipped}, each a list of {file, title}; a failed one has its error, and is a hook where that failed.
'use strict';

const { writeFileSync } = require('node:fs');
const { isAbsolute, relative } = require('node:path');
const Mocha = require('mocha');

/** From the repository, as specs are named. */
function fileOf(test) {
  const { file = '' } = test;
  return isAbsolute(file) ? relative(process.cwd(), file) : file;
}

class ResultsReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    this.results = { passed: [], failed: [], skipped: [] };
    this.target = options.reporterOptions?.file;
    const note = (kind, more) => (test, error) =>
      this.results[kind].push({ file: fileOf(test), title: test.fullTitle(), ...more?.(error) });
    runner.on('pass', note('passed'));
    runner.on(
      'fail',
      note('failed', (error) => ({ error: String(error?.message ?? error) })),
    );
    runner.on('pending', note('skipped'));
  }

  done(failures, callback) {
    if (this.target !== undefined) writeFileSync(this.target, JSON.stringify(this.results));
    callback(failures);
  }
}

module.exports = ResultsReporter;
