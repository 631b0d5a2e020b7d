import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Secret } from '../secret.js';
import { createConfigurationFile, resolveWithIngress } from './configuration.spec.support.js';

describe('secrets in the configuration', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'countersign-secret-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  it('should be read from the file that a variable names, without the trailing line break', async () => {
    await writeFile(join(directory, 'token'), 'from a file\n');

    const { ingress, problems, view } = resolveWithIngress({
      environment: { INTEGRATIONS__EVENTINGRESS__TOKEN_FILE: join(directory, 'token') },
    });

    expect(problems).to.deep.equal([]);
    expect(ingress?.Token.reveal()).to.equal('from a file');
    expect(view.find('Integrations:EventIngress:Token')).to.include({
      value: null,
      isSecret: true,
      isSet: true,
      source: 'env',
    });
  });

  it('should be refused when the file does not exist or both the value and the file are set', async () => {
    await writeFile(join(directory, 'token'), 'x');
    const missingFile = join(directory, 'missing');

    const { messages } = resolveWithIngress({
      environment: {
        Integrations__EventIngress__Token: 'x',
        Integrations__EventIngress__Token_FILE: join(directory, 'token'),
        Integrations__EventIngress__Sources__0__Id_FILE: missingFile,
      },
    });

    expect(messages).to.include(
      `The environment variable Integrations__EventIngress__Sources__0__Id_FILE names a file that cannot be read (ENOENT): ${missingFile}`,
    );
    expect(messages.some((message) => message.includes('Remove one of them'))).to.equal(true);
  });

  it('should never be printed in the view or in a problem', () => {
    const { view, ingress, messages } = resolveWithIngress({
      file: createConfigurationFile({
        Integrations: {
          EventIngress: {
            Token: 'hush-1',
            Sources: [
              { Id: 'a', Secret: 'hush-2' },
              { Id: 7, Secret: ['hush-3'] },
            ],
          },
        },
      }),
      overrides: {
        Integrations: {
          EventIngress: {
            Sources: [
              { Id: 'a', Secret: 'hush-2' },
              { Id: 'b', Secret: '' },
            ],
          },
        },
      },
    });
    const invalidConfiguration = resolveWithIngress({
      file: createConfigurationFile({
        Integrations: { EventIngress: { Token: 99_123, Sources: [{ Id: 7, Secret: ['hush-3'] }] } },
      }),
    });

    const printed = [
      inspect(view.entries, { depth: 9 }),
      JSON.stringify(view.entries),
      inspect(ingress, { depth: 9 }),
      JSON.stringify(ingress),
      ...messages,
      ...invalidConfiguration.messages,
      inspect(invalidConfiguration.view.entries, { depth: 9 }),
    ].join();
    expect(printed).not.to.match(/hush|99_?123/);
    expect(view.find('Integrations:EventIngress:Sources')?.value).to.deep.equal([
      { Id: 'a', Secret: '[secret]' },
      { Id: 'b', Secret: null },
    ]);
    expect(invalidConfiguration.messages).to.have.length(3);
    expect(`${new Secret('hush')}`).to.equal('[secret]');
  });
});
