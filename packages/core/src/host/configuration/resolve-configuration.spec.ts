import { expect } from 'chai';
import { resolve } from 'node:path';
import { createConfigurationFile, resolveWithIngress } from './configuration.spec.support.js';

describe('resolved configuration', () => {
  it('should contain the default values without any layer', () => {
    const { core, ingress, problems } = resolveWithIngress({});

    expect(problems).to.deep.equal([]);
    expect(core.Server).to.deep.equal({
      Host: '127.0.0.1',
      Port: 8080,
      AllowedHosts: [],
      TrustProxy: false,
      DrainDelay: 5_000,
      StopTimeout: 45_000,
    });
    expect(core.Data.Directory).to.equal(resolve('data'));
    expect(core.Runs.StuckAfter, 'milliseconds').to.equal(300_000);
    expect(core.Workflows.Directory).to.deep.equal([]);
    expect(ingress).to.deep.include({ Enabled: false, Sources: [], Labels: {} });
  });

  it('should let each layer override the previous layer, and report the source of each value', () => {
    const { core, view, problems } = resolveWithIngress({
      defaults: { Server: { Port: 1, Host: 'a' }, Log: { Level: 'debug' }, Runs: { StuckAfter: 'PT1S' } },
      file: createConfigurationFile({
        Server: { Port: 2, Host: 'b' },
        Log: { Level: 'info' },
        Limits: { BodyBytes: 9_000 },
      }),
      environment: { Server__Port: '3', Server__Host: 'c', Log__Level: 'warn' },
      commandLine: [
        { key: 'Server:Port', value: '4', option: '--port' },
        { key: 'Server:Host', value: 'd' },
      ],
      overrides: { Server: { Port: 5 } },
    });

    expect(problems).to.deep.equal([]);
    expect(core.Server).to.deep.equal({
      Port: 5,
      Host: 'd',
      AllowedHosts: [],
      TrustProxy: false,
      DrainDelay: 5_000,
      StopTimeout: 45_000,
    });
    expect(core.Log.Level).to.equal('warn');
    const sources = [
      'Server:Port',
      'Server:Host',
      'Log:Level',
      'Limits:BodyBytes',
      'Runs:StuckAfter',
      'Data:Directory',
    ];
    expect(sources.map((key) => view.find(key)?.source)).to.deep.equal([
      'override',
      'commandLine',
      'env',
      'file',
      'default',
      'default',
    ]);
    expect(view.find('Runs:StuckAfter')).to.include({ type: 'duration', value: 'PT1S' });
  });

  it('should read variables in any case and list items in any order, and ignore unrelated variables', () => {
    const { ingress, core, problems } = resolveWithIngress({
      environment: {
        PATH: '/bin',
        SERVER: 'unrelated',
        SOME__THING: 'unrelated',
        INTEGRATIONS__EVENTINGRESS__ENABLED: 'TRUE',
        Integrations__EventIngress__Sources__1__Id: 'second',
        Integrations__EventIngress__Sources__0__Secret: 'shh',
        Integrations__EventIngress__Sources__0__Id: 'first',
        Integrations__EventIngress__Sources__0__AllowedMessageNames: '["paid", "sent"]',
        Integrations__EventIngress__Labels__team: 'blue',
        countersign__Server__Port: '9090',
        Auth__Scopes__0: 'openid',
        Workflows__Directory: 'flows',
      },
    });

    expect(problems).to.deep.equal([]);
    expect(ingress?.Enabled).to.equal(true);
    expect(ingress?.Sources.map(({ Id }) => Id)).to.deep.equal(['first', 'second']);
    expect(ingress?.Sources[0]?.AllowedMessageNames).to.deep.equal(['paid', 'sent']);
    expect(ingress?.Sources[0]?.Secret.reveal()).to.equal('shh');
    expect(ingress?.Labels).to.deep.equal({ team: 'blue' });
    expect(core.Server.Port).to.equal(9090);
    expect(core.Auth.Scopes).to.deep.equal(['openid']);
    expect(core.Workflows.Directory).to.deep.equal([resolve('flows')]);
  });

  it('should override single items of a list from a layer with lower precedence', () => {
    const { ingress } = resolveWithIngress({
      file: createConfigurationFile({
        Integrations: {
          EventIngress: {
            Sources: [
              { Id: 'a', Secret: 'old' },
              { Id: 'b', Secret: 'kept' },
            ],
          },
        },
      }),
      environment: { Integrations__EventIngress__Sources__0__Secret: 'new' },
    });

    expect(ingress?.Sources.map(({ Id, Secret: value }) => [Id, value.reveal()])).to.deep.equal([
      ['a', 'new'],
      ['b', 'kept'],
    ]);
  });

  it('should resolve relative paths in a file against its directory, and others against the working directory', () => {
    const { core } = resolveWithIngress({
      file: createConfigurationFile({ Data: { Directory: 'here' }, Workflows: { Directory: ['a', '/b'] } }),
      commandLine: [{ key: 'Data:Directory', value: 'there' }],
    });

    expect(core.Data.Directory).to.equal(resolve('there'));
    expect(core.Workflows.Directory).to.deep.equal([resolve('/etc/countersign/a'), resolve('/b')]);
  });

  it('should refuse a key that pollutes prototypes', () => {
    const pollutingContent = JSON.parse(
      '{"__proto__": {"Port": 1}, "Integrations": {"EventIngress": {"Labels": {"__proto__": "x"}}}}',
    ) as object;

    const { messages } = resolveWithIngress({
      file: createConfigurationFile(pollutingContent),
      environment: { Integrations__EventIngress__Labels____proto__: 'x' },
    });

    expect(messages[0]).to.match(/^Unknown configuration key __proto__ /);
    expect(({} as Record<string, unknown>)['Port']).to.equal(undefined);
  });

  it('should list every core key with a description', () => {
    const { view } = resolveWithIngress({});

    expect(
      view.entries.filter(({ key, description }) => !key.startsWith('Integrations:') && description === null),
    ).to.deep.equal([]);
    expect(view.find('Server:Port')).to.deep.equal({
      key: 'Server:Port',
      description: 'Port that the server listens on. 0 picks a free one.',
      type: 'integer',
      value: 8080,
      isSecret: false,
      isSet: false,
      source: 'default',
    });
  });
});
