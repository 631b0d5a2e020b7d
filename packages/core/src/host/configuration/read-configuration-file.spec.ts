import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfigurationFile } from './read-configuration-file.js';

describe('readConfigurationFile', () => {
  let directory: string;
  const writeAndRead = async (name: string, text: string) => {
    await writeFile(join(directory, name), text);
    return readConfigurationFile(join(directory, name));
  };
  const captureError = async (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error as Error & { code: string },
    );

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'countersign-config-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  it('should read YAML, JSON and empty files', async () => {
    expect((await writeAndRead('a.yaml', 'Server:\n  Port: 9090 # comment\n')).content).to.deep.equal({
      Server: { Port: 9090 },
    });
    expect((await writeAndRead('a.json', '{"Server": {"Port": 9090}}')).content).to.deep.equal({
      Server: { Port: 9090 },
    });
    expect((await writeAndRead('b.yaml', '# nothing\n')).content).to.deep.equal({});
  });

  it('should refuse a number that cannot be stored exactly and report the line but not the number', async () => {
    for (const number of ['9007199254740993', '1234567890123456.78', '1e400', '-18446744073709551615']) {
      for (const [name, text] of [
        ['n.yaml', `Server:\n  Port: 9090\n  Limit: ${number}\n`],
        ['l.yml', `Server:\n  Port: 9090\n  Limits: [1, ${number}]\n`],
        ['n.json', `{"Server": {"Port": 9090,\n\n"Limit": ${number}}}`],
      ] as const) {
        const error = await captureError(writeAndRead(name, text));
        expect(error?.message, text).to.contain('line 3: This number cannot be stored exactly');
        expect(error?.message).not.to.contain(number);
      }
    }
    expect(
      (await writeAndRead('s.yaml', 'Account: "9007199254740993"\nMask: 0x1F\nRate: 0.30\nNone: .inf\n')).content,
    ).to.deep.equal({ Account: '9007199254740993', Mask: 31, Rate: 0.3, None: Number.POSITIVE_INFINITY });
    const yaml11 = '%YAML 1.1\n---\nA: 1_000\nB: 0b101\nC: 190:20:30\nD: -0x1F\nE: 685_230.15\n';
    expect((await writeAndRead('old.yaml', yaml11)).content).to.deep.equal({
      A: 1000,
      B: 5,
      C: 685230,
      D: -31,
      E: 685230.15,
    });
    expect((await captureError(writeAndRead('h.yaml', 'Mask: 0x20000000000001\n')))?.message).to.contain('line 1');
  });

  it('should report why a file is invalid without quoting its content', async () => {
    const missingFileError = await captureError(readConfigurationFile(join(directory, 'missing.yaml')));
    const yamlError = await captureError(writeAndRead('c.yaml', 'Token: hush\n  Server: [\n'));
    const jsonError = await captureError(writeAndRead('c.json', '{"Token": "hush" oops'));
    const listError = await captureError(writeAndRead('d.yaml', '- hush\n'));

    expect(missingFileError?.message).to.contain('there is no such file');
    expect(yamlError?.message).to.contain('line ');
    expect(listError?.message).to.contain('no keys at its top level');
    for (const error of [missingFileError, yamlError, jsonError, listError]) {
      expect(error?.code).to.equal('configuration_unreadable');
      expect(error?.message).not.to.contain('hush');
    }
  });
});
