import { expect } from 'chai';
import { z } from 'zod';
import { Secret, secret } from '../secret.js';
import { buildSettingViews } from '../settings/setting-view.js';
import { CoreConfigurationSchema } from './core-configuration.js';
import type { ConfigurationLayers, SavedSetting } from './configuration-layers.js';
import { deploymentOnly, keyedBy, reloadable } from './schema-metadata.js';
import { resolveConfiguration } from './resolve-configuration.js';

const Door = z.object({
  Door: z.object({
    Sources: keyedBy(
      'Id',
      reloadable(
        z
          .array(
            z.object({
              Id: z.string(),
              Secret: secret().describe('Shared.'),
              Names: z.array(z.string()).optional(),
              Auth: z.object({ Token: secret() }).optional(),
            }),
          )
          .default([]),
      ),
    ),
    Vault: reloadable(z.record(z.string(), secret()).default({})),
    Labels: z.record(z.string(), z.string()).default({}),
    Local: deploymentOnly(z.string().default('here')),
    Hooks: keyedBy(
      'Id',
      z
        .array(z.object({ Id: z.string(), Host: deploymentOnly(z.string().optional()), Tries: z.int().default(1) }))
        .default([]),
    ),
  }),
});
type Door = z.infer<typeof Door>['Door'];

const SOURCES = [
  { Id: 'a', Secret: 'of a' },
  { Id: 'b', Secret: 'of b', Names: ['n'] },
];

const resolveWithSaved = (
  saved: SavedSetting[],
  layers: ConfigurationLayers = {},
  content: object = { Door: { Sources: SOURCES, Vault: { one: 'of one' } } },
) => {
  const result = resolveConfiguration(
    [
      { owner: 'core', schema: CoreConfigurationSchema },
      { owner: 'door', schema: Door },
    ],
    { file: { path: '/etc/c.yaml', content: content as never }, ...layers, saved },
  );
  return {
    ...result,
    door: (result.parsed.get('door') as z.infer<typeof Door> | undefined)?.Door as Door,
    views: buildSettingViews(result),
  };
};
const secretsByItem = (door: Door) =>
  Object.fromEntries(door.Sources.map(({ Id, Secret: value }) => [Id, value.reveal()]));

describe('saved settings in the configuration', () => {
  it('should override all other layers', () => {
    const { parsed, view } = resolveWithSaved([{ key: 'Runs:StuckAfter', value: 'PT9M' }], {
      environment: { Runs__StuckAfter: 'PT1M' },
      overrides: { Runs: { StuckAfter: 'PT2M' } },
    });

    expect(parsed.get('core')).to.have.nested.property('Runs.StuckAfter', 540_000);
    expect(view.find('Runs:StuckAfter')?.source).to.equal('override');
  });

  it('should assign each secret to its item by name, regardless of the order of the list', () => {
    // given: the secret of "b" was saved when "b" was second in the list
    const saved = [{ key: 'Door:Sources:b:Secret', value: new Secret('new of b') }];

    // when: the file lists "b" first
    const { door } = resolveWithSaved(saved, {}, { Door: { Sources: SOURCES.toReversed() } });

    // then
    expect(secretsByItem(door)).to.deep.equal({ a: 'of a', b: 'new of b' });
    expect(secretsByItem(resolveWithSaved(saved).door)).to.deep.equal({ a: 'of a', b: 'new of b' });
  });

  it('should carry over the secrets of items by name when a list is saved', () => {
    const { door, problems } = resolveWithSaved([
      { key: 'Door:Sources:new:Secret', value: new Secret('of new') },
      { key: 'Door:Sources', value: [{ Id: 'new' }, { Id: 'b', Names: ['m'] }] },
    ]);

    expect(problems).to.deep.equal([]);
    expect(secretsByItem(door)).to.deep.equal({ new: 'of new', b: 'of b' });
    expect(door.Sources[1]?.Names).to.deep.equal(['m']);
  });

  it('should not apply a setting whose key does not exist or that Settings:Ignore names', () => {
    const saved = [
      { key: 'Door:Sources:missing:Secret', value: new Secret('x') },
      { key: 'Nothing:Here', value: 1 },
      { key: 'Runs:StuckAfter', value: 'PT9M' },
    ];

    const { door, unknownSavedKeys, parsed } = resolveWithSaved(saved, {
      commandLine: [{ key: 'Settings:Ignore', value: 'Runs:StuckAfter' }],
    });

    expect(secretsByItem(door)).to.deep.equal({ a: 'of a', b: 'of b' });
    expect(unknownSavedKeys).to.have.members(['Door:Sources:missing:Secret', 'Nothing:Here']);
    expect(parsed.get('core')).to.have.nested.property('Runs.StuckAfter', 300_000);
    expect(
      resolveWithSaved(saved, { commandLine: [{ key: 'Settings:Ignore', value: '*' }] }).unknownSavedKeys,
    ).to.deep.equal([]);
  });

  it('should ignore database entries that the API would never save', () => {
    // given: an attacker who can write to the database but does not have the key
    const { unknownSavedKeys, parsed, door } = resolveWithSaved([
      { key: 'Plugins', value: ['/tmp/evil'] },
      { key: 'Auth:Issuer', value: 'https://evil.example' },
      { key: 'Data:Directory', value: '/tmp' },
      { key: 'Door:Sources:a:Secret', value: 'known to the attacker' },
      { key: 'Door:Sources', value: [{ Id: 'a', Secret: 'known to the attacker' }] },
      { key: 'Door:Vault', value: { one: 'known to the attacker' } },
      { key: 'Runs:StuckAfter', value: new Secret('PT1S') },
    ]);

    // then
    expect(unknownSavedKeys).to.have.length(7);
    expect(parsed.get('core')).to.have.property('Plugins').that.deep.equals([]);
    expect(secretsByItem(door)).to.deep.equal({ a: 'of a', b: 'of b' });
    expect(door.Vault['one']?.reveal()).to.equal('of one');
  });

  it('should name the saved setting that causes a problem', () => {
    const { problems } = resolveWithSaved([{ key: 'Door:Sources:b:Names', value: 7 }]);

    expect(problems).to.deep.include({
      code: 'invalid_configuration',
      message:
        'Door:Sources:1:Names is wrong (saved setting Door:Sources:b:Names): Invalid input: expected array, received number. Needed by plugin "door".',
      plugins: ['door'],
      setting: 'Door:Sources:b:Names',
    });
  });

  it('should refuse two items with the same name', () => {
    const { problems } = resolveWithSaved([], {}, { Door: { Sources: [...SOURCES, { Id: 'a', Secret: 'twin' }] } });

    expect(problems.map(({ message }) => message)).to.deep.equal(['Door:Sources has several items whose Id is "a".']);
  });

  it('should show the settings of each item under its name, with colons escaped', () => {
    const { views } = resolveWithSaved(
      [{ key: 'Door:Sources:x%3Ay:Secret', value: new Secret('hush') }],
      {},
      { Door: { Sources: [{ Id: 'x:y' }, { Id: 'b' }], Vault: { one: 'hush' } } },
    );
    const findView = (key: string) => views.find((each) => each.key === key);

    expect(findView('Door:Sources:x%3Ay:Secret')).to.deep.equal({
      key: 'Door:Sources:x%3Ay:Secret',
      title: 'x:y: Secret',
      description: 'Shared.',
      type: 'string',
      value: null,
      isSecret: true,
      isSet: true,
      source: 'override',
      origin: 'saved setting Door:Sources:x%3Ay:Secret',
      editable: true,
      restartRequired: false,
    });
    expect(findView('Door:Sources:b:Secret')).to.include({ isSet: false });
    expect(findView('Door:Vault:one')).to.include({
      title: 'one',
      isSecret: true,
      isSet: true,
      editable: true,
      source: 'file',
    });
    expect(findView('Door:Sources:b:Id')).to.equal(undefined);
    expect(JSON.stringify(views)).not.to.contain('hush');
  });

  it('should not apply a saved list when a property of its items is deployment-only', () => {
    const content = { Door: { Hooks: [{ Id: 'a', Host: 'mine' }] } };
    const { door, unknownSavedKeys, views } = resolveWithSaved(
      [
        { key: 'Door:Hooks', value: [{ Id: 'a', Host: 'theirs' }] },
        { key: 'Door:Hooks:a:Host', value: 'theirs' },
        { key: 'Door:Hooks:a:Tries', value: 3 },
      ],
      {},
      content,
    );

    expect(unknownSavedKeys).to.have.members(['Door:Hooks', 'Door:Hooks:a:Host']);
    expect(door.Hooks).to.deep.equal([{ Id: 'a', Host: 'mine', Tries: 3 }]);
    expect(
      views.filter(({ key }) => key.startsWith('Door:Hooks')).map(({ key, editable }) => [key, editable]),
    ).to.deep.equal([
      ['Door:Hooks', false],
      ['Door:Hooks:a:Host', false],
      ['Door:Hooks:a:Tries', true],
    ]);
  });

  it('should mark settings that take effect immediately and settings that only the deployment can change', () => {
    const { views } = resolveWithSaved([]);
    const keysWhere = (test: (view: (typeof views)[number]) => boolean) => views.filter(test).map(({ key }) => key);

    expect(keysWhere(({ restartRequired }) => !restartRequired))
      .to.include.members(['Limits:BodyBytes', 'Runs:StuckAfter', 'Auth:DeployRole', 'Door:Sources', 'Door:Vault:one'])
      .and.not.include('Door:Labels');
    expect(keysWhere(({ editable }) => !editable)).to.include.members([
      'Server:Port',
      'Data:Directory',
      'Plugins',
      'Auth:Issuer',
      'Settings:EncryptionKey',
      'Settings:PreviousEncryptionKeys',
      'Door:Local',
      'Door:Vault',
    ]);
    expect(keysWhere(({ editable }) => editable)).to.include.members(['Door:Sources', 'Door:Labels', 'Log:Level']);
  });
});
