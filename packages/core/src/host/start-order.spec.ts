import { expect } from 'chai';
import type { ServiceIdentifier } from 'inversify';
import { createHost } from '../built-in/create-host.js';
import { LifecycleContribution } from '../contributions/lifecycle.js';
import { HostStartError } from '../errors/host-start-error.js';
import { definePlugin, type Plugin, type PluginRegistry } from './define-plugin.js';

const Bread: ServiceIdentifier<object> = Symbol.for('@example/kitchen:Bread');
const Topping: ServiceIdentifier<object> = Symbol.for('@example/kitchen:Topping');

describe('start order of plugins', () => {
  let started: string[];

  beforeEach(() => {
    started = [];
  });

  const plugin = (id: string, { dependsOn, ...more }: Partial<Plugin> = {}) =>
    definePlugin({
      id,
      ...(dependsOn === undefined ? {} : { dependsOn }),
      register: (registry) => {
        more.register?.(registry);
        registry.contribute(
          LifecycleContribution,
          class {
            readonly name = id;
            start() {
              started.push(id);
              return Promise.resolve();
            }
            stop() {
              started.push(`${id} stopped`);
              return Promise.resolve();
            }
          },
        );
      },
    });
  const binds = { register: ({ bind }: PluginRegistry<unknown>) => bind(Bread, class {}) };
  const contributes = { register: ({ contribute }: PluginRegistry<unknown>) => contribute(Topping, class {}) };

  it('should be the registration order, with each plugin after its dependencies', async () => {
    // given
    const host = createHost({
      plugins: [
        plugin('sandwich', { dependsOn: [Bread, Topping] }),
        plugin('table'),
        plugin('baker', binds),
        plugin('farm', contributes),
        plugin('guest'),
        plugin('dairy', contributes),
      ],
    });

    // when
    await host.start();
    await host.stop();

    // then
    const order = ['table', 'baker', 'farm', 'guest', 'dairy', 'sandwich'];
    expect(started).to.deep.equal([...order, ...order.toReversed().map((id) => `${id} stopped`)]);
  });

  it('should ignore dependencies that no other plugin provides', async () => {
    const host = createHost({
      plugins: [plugin('sandwich', { dependsOn: [Bread, Topping], ...contributes }), plugin('table')],
    });

    await host.start();

    expect(started).to.deep.equal(['sandwich', 'table']);
  });

  it('should be refused when plugins depend on each other in a circle', () => {
    const start = () =>
      createHost({
        plugins: [
          plugin('table'),
          plugin('baker', { ...binds, dependsOn: [Topping] }),
          plugin('farm', { ...contributes, dependsOn: [Bread] }),
        ],
      });

    expect(start).to.throw(HostStartError, '"baker", "farm"').with.nested.property('problems[0].code', 'plugin_circle');
  });
});

describe('default implementation of a port', () => {
  class Own {}
  class Toast {
    readonly name = 'toast';
    start = () => Promise.reject(new Error('burnt'));
    stop = () => Promise.resolve();
  }
  const toaster = definePlugin({
    id: 'toaster',
    register({ bindDefault, contribute }) {
      bindDefault(Bread, Toast);
      contribute(LifecycleContribution, Toast);
    },
  });

  it('should be used when no plugin binds the port', async () => {
    const host = createHost({ plugins: [toaster] });

    expect(host.get(Bread)).to.be.instanceOf(Toast);
    expect(await host.start().catch((error: unknown) => error)).to.be.instanceOf(HostStartError);
  });

  it('should be neither used nor started when another plugin binds the port', async () => {
    const host = createHost({
      plugins: [toaster, definePlugin({ id: 'baker', register: ({ bind }) => bind(Bread, Own) })],
    });

    await host.start();

    expect(host.get(Bread)).to.be.instanceOf(Own);
  });

  it('should be refused when two plugins provide one for the same port', () => {
    const start = () =>
      createHost({
        plugins: [toaster, definePlugin({ id: 'baker', register: ({ bindDefault }) => bindDefault(Bread, Own) })],
      });

    expect(start).to.throw(HostStartError, 'Both "toaster" and "baker" bind Bread by default');
  });
});
