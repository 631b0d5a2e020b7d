import { ApiError, defineErrorCode, HostStartError, StartupError } from '@countersign/core';
import { expect } from 'chai';
import { formatBanner } from './banner.js';
import { CliError } from './cli-error.js';
import { formatPrettyLine } from './pretty-stream.js';
import { describeError } from './describe-error.js';

describe('command output', () => {
  it('should print the code, the message and the remedy of an error without a stack', () => {
    expect(describeError(new CliError('port_in_use', 'Port 1 is in use.', 'Use port 2.'), false)).to.equal(
      'error port_in_use: Port 1 is in use.\nUse port 2.\n',
    );
    expect(describeError(new StartupError('some_code', 'It failed.'), false)).to.equal('error some_code: It failed.\n');
    const quotaExceeded = defineErrorCode('acme/quota_exceeded', { status: 429, title: 'Quota exceeded' });
    expect(describeError(new ApiError(quotaExceeded, 'Come back tomorrow.'), false)).to.equal(
      'error acme/quota_exceeded: Come back tomorrow.\n',
    );
  });

  it('should print a stack only with --verbose, and mention --verbose for unexpected errors', () => {
    expect(describeError(new Error('oops'), false)).to.match(/^error internal_error: oops\n.*--verbose.*\n$/);
    expect(describeError(new Error('oops'), true)).to.contain('command-output.spec');
    expect(describeError(Object.assign(new Error('gone'), { code: 'ENOENT' }), false)).to.contain('internal_error');
  });

  it('should use the code of the problem when a host has a single start problem', () => {
    const problem = { code: 'disk_full', message: 'storage did not start: no room' };

    expect(describeError(new HostStartError([problem]), false)).to.equal(
      'error disk_full: storage did not start: no room\n',
    );
    expect(describeError(new HostStartError([problem, problem]), false)).to.match(
      /^error host_start_failed: .* 2 problems:\n- /,
    );
  });

  it('should format log entries as readable lines', () => {
    expect(
      formatPrettyLine('{"level":"info","time":"2026-11-21T10:20:30.123Z","port":1,"data":{"a":1},"msg":"here"}\n'),
    ).to.equal('10:20:30 INFO  here port=1 data={"a":1}\n');
    expect(formatPrettyLine('no json\n')).to.equal('no json\n');
  });

  it('should quote the data directory in the suggested command if its name contains a space', () => {
    const content = {
      version: '1.0.0',
      url: 'http://127.0.0.1:8080',
      dataDirectory: "/my data/it's",
      isDefaultDirectory: false,
      configurationFile: undefined,
      deployed: { decisions: [], workflows: [] },
      devTokens: true,
      issuer: undefined,
    };

    expect(formatBanner(content)).to.contain(
      `TOKEN=$(npx countersign token --role approver --data '/my data/it'\\''s')`,
    );
    expect(formatBanner({ ...content, isDefaultDirectory: true })).to.contain(
      'TOKEN=$(npx countersign token --role approver)\n',
    );
    expect(formatBanner({ ...content, devTokens: false })).not.to.contain('TOKEN');
  });

  it('should list the deployed workflows and DMN decisions in the banner', () => {
    // given
    const content = {
      version: '1.0.0',
      url: '',
      dataDirectory: '',
      isDefaultDirectory: true,
      configurationFile: undefined,
      devTokens: false,
      issuer: undefined,
    };
    const deployed = {
      decisions: [{ file: 'a.dmn', decisionId: 'risk', version: 2, created: true }],
      workflows: [{ file: 'b.bpmn', workflowId: 'release', version: 3, created: false }],
    };

    // then
    expect(formatBanner({ ...content, deployed }))
      .to.match(/^ {2}workflows +release v3$/m)
      .and.match(/^ {2}decisions +risk v2 \(new\)$/m);
    expect(formatBanner({ ...content, deployed: { decisions: [], workflows: [] } }))
      .to.contain('none deployed')
      .and.not.to.contain('decisions');
  });
});
