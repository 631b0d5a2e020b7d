import { expect } from 'chai';
import { inject, injectable, multiInject, type ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import { ClockPort } from '../ports/clock.js';
import { CoreConfiguration } from './configuration/core-configuration.js';
import { createHost } from '../built-in/create-host.js';
import type { HostOptions } from './assemble-host.js';
import { definePlugin, type Plugin } from './define-plugin.js';
import { HostStartError } from '../errors/host-start-error.js';

interface Greeter {
  greet(): string;
}
const Greeter = Symbol.for('@example/greet:Greeter') as ServiceIdentifier<Greeter>;
const Greeting = Symbol.for('@example/greet:Greeting') as ServiceIdentifier<string>;
const Word = Symbol.for('@example/greet:Word') as ServiceIdentifier<{ word: string }>;

@injectable()
class Helper {
  constructor(@inject(Greeting) readonly greeting: string) {}
}

@injectable()
class PoliteGreeter implements Greeter {
  readonly word = 'please';
  constructor(
    @inject(Helper) readonly helper: Helper,
    @inject(ClockPort) readonly clock: ClockPort,
  ) {}
  greet(): string {
    return `${this.helper.greeting} at ${this.clock.now()}`;
  }
}

@injectable()
class AllWords {
  constructor(@multiInject(Word) readonly words: { word: string }[]) {}
}

const politePlugin = definePlugin({
  id: 'polite',
  config: z.object({ Greeting: z.object({ Text: z.string().default('Good day') }) }),
  register({ config, bind, provide, contribute }) {
    provide(Greeting, config.Greeting.Text);
    bind(Greeter, PoliteGreeter);
    contribute(Word, PoliteGreeter);
  },
});

const createRefusedHost = (options: HostOptions): HostStartError => {
  try {
    createHost(options);
  } catch (error) {
    expect(error).to.be.instanceOf(HostStartError);
    return error as HostStartError;
  }
  throw new Error('the host should have been refused');
};

const getMessages = (error: HostStartError) => error.problems.map(({ message }) => message);

describe('createHost', () => {
  it('should create each bound object once, with its dependencies', () => {
    // when
    const host = createHost({
      plugins: [politePlugin],
      clock: { now: () => 42 },
      configuration: { overrides: { Greeting: { Text: 'Hello' } } },
    });

    // then
    expect(host.get(Greeter).greet()).to.equal('Hello at 42');
    expect(host.get(Greeter)).to.equal(host.get(Greeter));
    expect(host.getAll(Word), 'one object serves port and contribution').to.deep.equal([host.get(Greeter)]);
    expect(host.get(CoreConfiguration).Server.Port).to.equal(8080);
  });

  it('should return an empty list when no plugin contributes', () => {
    const host = createHost({ plugins: [] });

    expect(host.getAll(Word)).to.deep.equal([]);
    expect(host.get(AllWords).words).to.deep.equal([]);
  });

  it('should report all problems together and name the plugins', () => {
    // given: two plugins with the same id, two that bind the same port, one for another API version, and configuration
    // errors
    const rudePlugin = definePlugin({
      id: 'rude',
      register: ({ bind }) =>
        bind(
          Greeter,
          class RudeGreeter implements Greeter {
            greet = () => 'What?';
          },
        ),
    });
    const oldPlugin = {
      plugin: definePlugin({ id: 'old', register: () => undefined }),
      manifest: { id: 'old', api: '^9.0.0' },
      origin: '@example/old',
    };

    // when
    const error = createRefusedHost({
      plugins: [politePlugin, rudePlugin, rudePlugin, oldPlugin],
      configuration: { overrides: { Greeting: { Texd: 'Hello' }, Server: { Port: 70_000 }, Sevrer: {} } },
    });

    // then
    expect(error.code).to.equal('host_start_failed');
    expect(error.problems.map(({ code, plugins }) => [code, ...(plugins ?? [])])).to.have.deep.members([
      ['duplicate_plugin', 'rude'],
      ['plugin_api_mismatch', 'old'],
      ['unknown_configuration_key'],
      ['unknown_configuration_key'],
      ['invalid_configuration'],
      ['duplicate_binding', 'polite', 'rude'],
    ]);
    expect(error.message)
      .to.contain('because of 6 problems')
      .and.contain('Did you mean "Text"?')
      .and.contain('Did you mean "Server"?');
    for (const message of getMessages(error)) expect(error.message).to.contain(message);
  });

  it('should report a missing port with the plugin and the class that need it', () => {
    const pluginWithMissingPort = definePlugin({
      id: 'needy',
      register: ({ contribute }) => contribute(Word, PoliteGreeter),
    });

    const error = createRefusedHost({ plugins: [pluginWithMissingPort], required: [Greeter] });

    expect(getMessages(error)).to.have.members([
      'No plugin provides Greeter, which the server needs.',
      'No plugin provides Greeting, which Helper of "needy" needs.',
    ]);
  });

  it('should refuse a class whose constructor arguments have no @inject', () => {
    class ClassWithoutInject {
      readonly word = 'bare';
      constructor(readonly something: string) {}
    }
    const pluginWithoutInject = definePlugin({
      id: 'careless',
      register: ({ contribute }) => contribute(Word, ClassWithoutInject),
    });

    expect(getMessages(createRefusedHost({ plugins: [pluginWithoutInject] }))).to.deep.equal([
      'Argument 1 of the constructor of ClassWithoutInject (plugin "careless") has no @inject(Token).',
    ]);
  });

  it('should not report a port as missing when the plugin that binds it is excluded', () => {
    const needyPlugin = definePlugin({ id: 'needy', register: ({ contribute }) => contribute(Word, PoliteGreeter) });
    const strictPlugin: Plugin = {
      ...politePlugin,
      config: z.object({ Greeting: z.object({ Text: z.string().min(3) }) }),
    };

    const error = createRefusedHost({ plugins: [strictPlugin, needyPlugin] });

    expect(getMessages(error)).to.deep.equal(['Greeting:Text is missing. Needed by plugin "polite".']);
  });

  it('should report a plugin whose register function throws, and refuse late registration', () => {
    let registerLate: (() => void) | undefined;
    const throwingPlugin = definePlugin({
      id: 'broken',
      register({ provide }) {
        registerLate = () => {
          provide(Greeting, 'late');
        };
        throw new Error('no idea');
      },
    });

    expect(getMessages(createRefusedHost({ plugins: [throwingPlugin] }))).to.deep.equal([
      'Plugin "broken" failed to register: no idea',
    ]);
    expect(registerLate).to.throw('Plugin "broken" registers too late');
  });

  it('should refuse a configuration key declared by two plugins, but let them share a section', () => {
    const config = (key: string) => z.object({ Shared: z.object({ [key]: z.string().default('') }) });
    const plugin = (id: string, key: string) => definePlugin({ id, config: config(key), register: () => undefined });

    const host = createHost({ plugins: [plugin('one', 'A'), plugin('two', 'B')] });
    const error = createRefusedHost({ plugins: [plugin('one', 'A'), plugin('two', 'A')] });

    expect(host.configuration.find('Shared:A')).to.include({ source: 'default' });
    expect(host.configuration.find('Shared:B')).to.include({ source: 'default' });
    expect(getMessages(error)).to.deep.equal(['The configuration key Shared:A is declared by both "one" and "two".']);
  });
});
