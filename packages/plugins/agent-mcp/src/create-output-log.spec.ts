import { type LoggerPort, Redactor, Secret } from '@countersign/core/plugin';
import { expect } from 'chai';
import { createServerRedactor } from './server-redactor.js';
import { createOutputLog } from './create-output-log.js';

describe('createOutputLog()', () => {
  const createLog = (secrets: readonly string[] = [], knownSecrets: readonly string[] = []) => {
    const lines: string[] = [];
    const clock = { now: 0 };
    const record = (_: object, message: string): void => void lines.push(message);
    const logger: LoggerPort = { debug: record, info: record, warn: record, error: record };
    const Env = Object.fromEntries(secrets.map((secret, index) => [`SECRET_${index}`, new Secret(secret)]));
    const hide = createServerRedactor({ Env }, new Redactor({ current: knownSecrets }));
    return {
      lines,
      clock,
      write: createOutputLog('files', hide, logger, () => clock.now),
    };
  };

  it('should log line by line and hide secrets, for any chunk size', () => {
    const { lines, write } = createLog(['s3cret-token']);

    for (const chunk of ['token: s3cr', 'et-token\nsecond', ' line\r\n\n', 'no end']) write(chunk);

    expect(lines).to.eql(['output of the MCP server: token: [secret]', 'output of the MCP server: second line']);
  });

  it('should hide encoded known secrets, and the rest of a secret that is split by a line break', () => {
    const { lines, write } = createLog([], ['hunter2-hunter2']);

    write(`${Buffer.from('hunter2-hunter2').toString('hex')}\nhunter2-\n`);
    write('hunter2 and more\n');

    expect(lines).to.eql([
      'output of the MCP server: [secret]',
      'output of the MCP server: hunter2-',
      'output of the MCP server: [secret] and more',
    ]);
  });

  it('should log at most 20 lines per minute', () => {
    const { lines, clock, write } = createLog();

    for (let line = 0; line < 100; line += 1) write(`line ${line}\n`);

    expect(lines).to.have.length(20);
    expect(lines.at(-1)).to.equal('the MCP server writes more lines than are logged; omitting the rest for now');
    clock.now = 60_000;
    write('again\n');
    expect(lines).to.have.length(21);
  });

  it('should truncate lines and escape control characters', () => {
    const { lines, write } = createLog();

    write(`\u001b[31m${'x'.repeat(100_000)}\n`);

    expect(lines[0])
      .to.match(/^output of the MCP server: \\u\{1B\}\[31mx+ \[…\]$/)
      .and.to.have.length.lessThan(540);
  });
});
