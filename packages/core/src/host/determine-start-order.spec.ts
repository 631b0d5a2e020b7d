import { expect } from 'chai';
import type { ServiceIdentifier } from 'inversify';
import { createHost } from '../built-in/create-host.js';
import { LifecycleContribution } from '../contributions/lifecycle.js';
import { HostStartError } from '../errors/host-start-error.js';
import { definePlugin, type Plugin, type PluginRegistry } from './define-plugin.js';

const Bread: ServiceIdentifier<object> = Symbol.for('@example/kitchen:Bread');
const Topping: ServiceIdentifier<object> = Symbol.for('@example/kitchen:Topping');

describe('start order of plugins', () => {
  let lifecycleLog: string[];

  beforeEach(() => {
    lifecycleLog = [];
  });

  const createPlugin = (id: string, { dependsOn, ...otherOptions }: Partial<Plugin> = {}) =>
    definePlugin({
      id,
      ...(dependsOn === undefined ? {} : { dependsOn }),
      register: (registry) => {
        otherOptions.register?.(registry);
        registry.contribute(
          LifecycleContribution,
          class {
            readonly name = id;
            start() {
              lifecycleLog.push(id);
              return Promise.resolve();
            }
            stop() {
              lifecycleLog.push(`${id} stopped`);
              return Promise.resolve();
            }
          },
        );
      },
    });
  const breadBinding = { register: ({ bind }: PluginRegistry<unknown>) => bind(Bread, class {}) };
  const toppingContribution = { register: ({ contribute }: PluginRegistry<unknown>) => contribute(Topping, class {}) };

  it('should be the registration order, with each plugin after its dependencies', async () => {
    // given
    const host = createHost({
      plugins: [
        createPlugin('sandwich', { dependsOn: [Bread, Topping] }),
        createPlugin('table'),
        createPlugin('baker', breadBinding),
        createPlugin('farm', toppingContribution),
        createPlugin('guest'),
        createPlugin('dairy', toppingContribution),
      ],
    });

    // when
    await host.start();
    await host.stop();

    // then
    const order = ['table', 'baker', 'farm', 'guest', 'dairy', 'sandwich'];
    expect(lifecycleLog).to.deep.equal([...order, ...order.toReversed().map((id) => `${id} stopped`)]);
  });

  it('should ignore dependencies that no other plugin provides', async () => {
    const host = createHost({
      plugins: [
        createPlugin('sandwich', { dependsOn: [Bread, Topping], ...toppingContribution }),
        createPlugin('table'),
      ],
    });

    await host.start();

    expect(lifecycleLog).to.deep.equal(['sandwich', 'table']);
  });

  it('should be refused when plugins have circular dependencies', () => {
    const createRefusedHost = () =>
      createHost({
        plugins: [
          createPlugin('table'),
          createPlugin('baker', { ...breadBinding, dependsOn: [Topping] }),
          createPlugin('farm', { ...toppingContribution, dependsOn: [Bread] }),
        ],
      });

    expect(createRefusedHost)
      .to.throw(HostStartError, '"baker", "farm"')
      .with.nested.property('problems[0].code', 'plugin_cycle');
  });
});

describe('default implementation of a port', () => {
  class OwnImplementation {}
  class DefaultImplementation {
    readonly name = 'toast';
    start = () => Promise.reject(new Error('burnt'));
    stop = () => Promise.resolve();
  }
  const defaultPlugin = definePlugin({
    id: 'toaster',
    register({ bindDefault, contribute }) {
      bindDefault(Bread, DefaultImplementation);
      contribute(LifecycleContribution, DefaultImplementation);
    },
  });

  it('should be used when no plugin binds the port', async () => {
    const host = createHost({ plugins: [defaultPlugin] });

    expect(host.get(Bread)).to.be.instanceOf(DefaultImplementation);
    expect(await host.start().catch((error: unknown) => error)).to.be.instanceOf(HostStartError);
  });

  it('should be neither used nor started when another plugin binds the port', async () => {
    const host = createHost({
      plugins: [defaultPlugin, definePlugin({ id: 'baker', register: ({ bind }) => bind(Bread, OwnImplementation) })],
    });

    await host.start();

    expect(host.get(Bread)).to.be.instanceOf(OwnImplementation);
  });

  it('should be refused when two plugins provide one for the same port', () => {
    const createRefusedHost = () =>
      createHost({
        plugins: [
          defaultPlugin,
          definePlugin({ id: 'baker', register: ({ bindDefault }) => bindDefault(Bread, OwnImplementation) }),
        ],
      });

    expect(createRefusedHost).to.throw(HostStartError, 'Both "toaster" and "baker" bind Bread by default');
  });
});
