// Prints like the `spec` reporter of Mocha, and writes the outcome of each test as JSON to the file that the option
// `file` names: {passed, failed, skipped}, each a list of {file, title}. A failure also has its `error`, and may be
// that of a hook.
'use strict';

const { writeFileSync } = require('node:fs');
const { isAbsolute, relative } = require('node:path');
const Mocha = require('mocha');

/** Returns the path of a test's file, relative to the repository, as for specs elsewhere. */
function getRelativeFile(test) {
  const { file = '' } = test;
  return isAbsolute(file) ? relative(process.cwd(), file) : file;
}

class ResultsReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    this.results = { passed: [], failed: [], skipped: [] };
    this.resultsFile = options.reporterOptions?.file;
    const record = (outcome, test, details) =>
      this.results[outcome].push({ file: getRelativeFile(test), title: test.fullTitle(), ...details });
    runner.on('pass', (test) => record('passed', test));
    runner.on('fail', (test, error) => record('failed', test, { error: String(error?.message ?? error) }));
    runner.on('pending', (test) => record('skipped', test));
  }

  done(failures, callback) {
    if (this.resultsFile !== undefined) writeFileSync(this.resultsFile, JSON.stringify(this.results));
    callback(failures);
  }
}

module.exports = ResultsReporter;
