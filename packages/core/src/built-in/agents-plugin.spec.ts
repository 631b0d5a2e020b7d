import { expect } from 'chai';
import { injectable } from 'inversify';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { FakeDefinitionStore, FakeModel } from '../application/agents/agents.spec.support.js';
import { BuiltInAgentRuntime } from '../application/agents/built-in-agent-runtime.js';
import { KnownSecrets } from '../ports/known-secrets.js';
import { LifecycleContribution } from '../contributions/lifecycle.js';
import { ModelError, ModelProviderContribution } from '../contributions/model-provider.js';
import { isSettingsTestFailure, SettingsTestContribution } from '../contributions/settings-test.js';
import { AgentCatalogue } from '../ports/agent-catalogue.js';
import { AgentRuntimePort } from '../ports/agent-runtime.js';
import { DefinitionStore } from '../ports/definitions.js';
import { EnginePort } from '../ports/engine.js';
import { createHost } from './create-host.js';
import { definePlugin } from '../host/define-plugin.js';
import { HostStartError } from '../errors/host-start-error.js';
import { LiveValue } from '../host/live.js';
import { Secret, secret } from '../host/secret.js';
import type { LiveConfiguration } from '../host/settings/live-configuration.js';
import { ConfiguredSecrets } from '../host/settings/configured-secrets.js';

const startedParts: string[] = [];

/** Creates a lifecycle part that records when it is started. */
function createPart(name: string) {
  class Part implements LifecycleContribution {
    readonly name = name;
    start(): Promise<void> {
      startedParts.push(name);
      return Promise.resolve();
    }
    stop(): Promise<void> {
      return Promise.resolve();
    }
  }
  injectable()(Part);
  return Part;
}

@injectable()
class RecordingDefinitions extends FakeDefinitionStore {
  override saveDefinitions(...args: Parameters<FakeDefinitionStore['saveDefinitions']>): Promise<void> {
    startedParts.push('agents');
    return super.saveDefinitions(...args);
  }
}

@injectable()
class UnauthorizedModel extends FakeModel {
  override check(): Promise<string> {
    return Promise.reject(new ModelError('model_unauthorized', 'The key hunter2-hunter2 is not accepted.', false));
  }
}

@injectable()
class OtherRuntime {}

const storePlugin = definePlugin({ id: 'store', register: ({ bind }) => bind(DefinitionStore, RecordingDefinitions) });
const toolsPlugin = definePlugin({
  id: 'tools',
  register: ({ contribute }) => contribute(LifecycleContribution, createPart('tools')),
});
const modelPlugin = definePlugin({
  id: 'model',
  config: z.object({ Fake: z.object({ Key: secret() }) }),
  register: ({ contribute }) => contribute(ModelProviderContribution, UnauthorizedModel),
});
const enginePlugin = definePlugin({
  id: 'engine',
  register({ bind, contribute }) {
    bind(EnginePort, OtherRuntime as never);
    contribute(LifecycleContribution, createPart('engine'));
  },
});
const otherRuntimePlugin = definePlugin({
  id: 'other',
  register: ({ bind }) => bind(AgentRuntimePort, OtherRuntime as never),
});

describe('agent runtime of a host', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'countersign-agents-'));
    startedParts.splice(0);
  });

  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  const createConfiguration = (otherDefaults: object = {}) => ({
    defaults: { Agents: { Directory: directory }, ...otherDefaults } as never,
  });
  const writeDefinition = (name: string, provider = 'fake') =>
    writeFile(join(directory, `${name}.yaml`), `name: ${name}\nmodel: {provider: ${provider}, name: m}\nsystem: S\n`);

  it('should be built in, and read its definitions after the tools start and before the engine starts', async () => {
    // given
    await writeDefinition('triage');
    const host = createHost({
      plugins: [storePlugin, toolsPlugin, modelPlugin, enginePlugin],
      configuration: createConfiguration(),
      required: [AgentRuntimePort, AgentCatalogue],
    });

    // when
    await host.start();
    await host.stop();

    // then
    expect(startedParts).to.deep.equal(['tools', 'agents', 'engine']);
    expect(host.get(AgentRuntimePort)).to.be.instanceOf(BuiltInAgentRuntime);
    expect(
      host
        .get(AgentCatalogue)
        .agents()
        .map(({ definition }) => definition.name),
    ).to.deep.equal(['triage']);
  });

  it('should be replaced by the runtime of a plugin, without reading the agent files', async () => {
    // given
    await writeDefinition('triage', 'unknown');
    const host = createHost({
      plugins: [storePlugin, otherRuntimePlugin, enginePlugin],
      configuration: createConfiguration(),
    });

    // when
    await host.start();
    await host.stop();

    // then
    expect(startedParts).to.deep.equal(['engine']);
    expect(host.get(AgentRuntimePort)).to.be.instanceOf(OtherRuntime);
  });

  it('should be optional, and report its missing ports when it is required', () => {
    // when
    createHost({ plugins: [] });
    const createRefusedHost = () => createHost({ plugins: [], required: [AgentRuntimePort] });

    // then
    expect(createRefusedHost).to.throw(HostStartError, /DefinitionStore/);
  });

  it('should prevent the host from starting when definitions are invalid, and report all errors', async () => {
    // given
    await writeDefinition('a', 'unknown-1');
    await writeDefinition('b', 'unknown-2');
    const host = createHost({
      plugins: [storePlugin, modelPlugin, enginePlugin],
      configuration: createConfiguration(),
    });

    // when
    const error = await host.start().catch((failure: unknown) => failure);

    // then
    expect(error).to.be.instanceOf(HostStartError);
    expect((error as HostStartError).problems.map(({ code }) => code)).to.deep.equal([
      'agent_provider_unknown',
      'agent_provider_unknown',
    ]);
    expect(startedParts).to.deep.equal([]);
  });

  it('should test each provider of language models without revealing secrets', async () => {
    // given
    const host = createHost({
      plugins: [storePlugin, modelPlugin],
      configuration: createConfiguration({ Fake: { Key: 'hunter2-hunter2' } }),
    });

    // when
    const checks = host
      .getAll(SettingsTestContribution)
      .filter(({ target }) => target === 'model')
      .flatMap((test) => test.checks());
    const error = await checks[0]?.run().catch((failure: unknown) => failure);

    // then
    expect(checks.map(({ name }) => name)).to.deep.equal(['Model provider "fake"']);
    expect(isSettingsTestFailure(error) && error.message).to.equal('The key [secret] is not accepted.');
  });

  it('should include secrets at any depth of the configuration in the known secrets', () => {
    // given
    const nestedSecretsPlugin = definePlugin({
      id: 'deep',
      config: z.object({
        Deep: z.object({
          Map: z.record(z.string(), secret()),
          List: z.array(z.object({ Key: secret() })),
          Url: secret(),
        }),
      }),
      register: () => undefined,
    });

    // when
    const host = createHost({
      plugins: [nestedSecretsPlugin],
      configuration: {
        defaults: {
          Deep: {
            Map: { a: 'secret-of-map' },
            List: [{ Key: 'secret-of-list' }],
            Url: 'postgres://user:p%40ssw0rd@db/x',
          },
        } as never,
      },
    });

    // then
    expect(host.get(KnownSecrets).current).to.have.members([
      'secret-of-map',
      'secret-of-list',
      'postgres://user:p%40ssw0rd@db/x',
      'p%40ssw0rd',
      'p@ssw0rd',
    ]);
  });

  it('should keep the previous secret in the known secrets after a rotation while it is valid', () => {
    // given
    const value = new LiveValue<unknown>({ Key: new Secret('first-secret') });
    const secrets = new ConfiguredSecrets({ getLiveValues: () => [value] } as unknown as LiveConfiguration, {
      now: () => 1_000,
    });
    const secretsBeforeRotation = secrets.current;

    // when
    value.change({ Key: new Secret('second-secret', { value: 'first-secret', validUntil: 2_000 }) });
    const secretsDuringOverlap = secrets.current;
    value.change({ Key: new Secret('second-secret', { value: 'first-secret', validUntil: 1_000 }) });

    // then
    expect([secretsBeforeRotation, secretsDuringOverlap, secrets.current]).to.deep.equal([
      ['first-secret'],
      ['second-secret', 'first-secret'],
      ['second-secret'],
    ]);
    expect(secrets.current).to.equal(secrets.current);
  });
});
