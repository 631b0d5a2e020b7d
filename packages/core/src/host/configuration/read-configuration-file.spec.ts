import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfigurationFile } from './read-configuration-file.js';

describe('readConfigurationFile', () => {
  let directory: string;
  const read = async (name: string, text: string) => {
    await writeFile(join(directory, name), text);
    return readConfigurationFile(join(directory, name));
  };
  const refusal = async (work: Promise<unknown>) =>
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

  it('should read YAML and JSON, and nothing at all', async () => {
    expect((await read('a.yaml', 'Server:\n  Port: 9090 # comment\n')).content).to.deep.equal({
      Server: { Port: 9090 },
    });
    expect((await read('a.json', '{"Server": {"Port": 9090}}')).content).to.deep.equal({ Server: { Port: 9090 } });
    expect((await read('b.yaml', '# nothing\n')).content).to.deep.equal({});
  });

  it('should say what is wrong with a file without quoting it', async () => {
    const missing = await refusal(readConfigurationFile(join(directory, 'missing.yaml')));
    const yaml = await refusal(read('c.yaml', 'Token: hush\n  Server: [\n'));
    const json = await refusal(read('c.json', '{"Token": "hush" oops'));
    const list = await refusal(read('d.yaml', '- hush\n'));

    expect(missing?.message).to.contain('there is no such file');
    expect(yaml?.message).to.contain('line ');
    expect(list?.message).to.contain('no keys at its top level');
    for (const error of [missing, yaml, json, list]) {
      expect(error?.code).to.equal('configuration_unreadable');
      expect(error?.message).not.to.contain('hush');
    }
  });
});
