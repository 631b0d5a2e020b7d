import type { ServiceIdentifier } from 'inversify';
import type { Live } from './live.js';
import type { HostProblem } from './host-problem.js';
import type { Implementation, PluginRegistry } from './define-plugin.js';

interface Bound {
  readonly plugin: string;
  readonly implementation?: Implementation<unknown>;
  readonly value?: unknown;
}

/** What the plugins declared, in the order in which they did. */
export class Registrations {
  /** Ports and provided values, by token. */
  readonly single = new Map<ServiceIdentifier, Bound>();
  /** What the core itself implements ports with that no plugin binds. Made only where somebody needs it. */
  readonly defaults = new Map<ServiceIdentifier, Implementation<unknown>>();
  /** Contributions, by point. */
  readonly many = new Map<ServiceIdentifier, Required<Pick<Bound, 'plugin' | 'implementation'>>[]>();
  readonly #problems: HostProblem[];
  #closed = false;

  constructor(problems: HostProblem[]) {
    this.#problems = problems;
  }

  /** From now on nothing may be declared any more. */
  close(): void {
    this.#closed = true;
  }

  /** What the core itself provides. */
  provide(token: ServiceIdentifier, value: unknown): void {
    this.single.set(token, { plugin: 'core', value });
  }

  /** What a port is implemented with where no plugin binds it. */
  bindByDefault<T>(port: ServiceIdentifier<T>, implementation: Implementation<T>): void {
    this.defaults.set(port, implementation);
  }

  registryOf<Config>(plugin: string, live: Live<Config>): PluginRegistry<Config> {
    return Object.freeze({
      config: live.current,
      live,
      bind: <T>(port: ServiceIdentifier<T>, implementation: Implementation<T>) => {
        this.#claim(port, { plugin, implementation });
      },
      provide: <T>(token: ServiceIdentifier<T>, value: T) => {
        this.#claim(token, { plugin, value });
      },
      contribute: <T>(point: ServiceIdentifier<T>, implementation: Implementation<T>) => {
        this.#contribute(point, { plugin, implementation });
      },
    });
  }

  #claim(token: ServiceIdentifier, bound: Bound): void {
    this.#assertOpen(bound.plugin);
    const there = this.single.get(token);
    if (there === undefined) this.single.set(token, bound);
    else if (there.plugin === bound.plugin)
      this.#twice(`Plugin "${bound.plugin}" binds ${tokenName(token)} twice.`, [bound.plugin]);
    else
      this.#twice(`Both "${there.plugin}" and "${bound.plugin}" bind ${tokenName(token)}: only one of them can.`, [
        there.plugin,
        bound.plugin,
      ]);
  }

  #contribute(point: ServiceIdentifier, bound: Required<Pick<Bound, 'plugin' | 'implementation'>>): void {
    this.#assertOpen(bound.plugin);
    const there = this.many.get(point) ?? [];
    const same = there.find(({ implementation }) => implementation === bound.implementation);
    if (same !== undefined)
      this.#twice(
        `${bound.implementation.name} is contributed to ${tokenName(point)} twice, by "${same.plugin}" and "${bound.plugin}".`,
        [same.plugin, bound.plugin],
      );
    else this.many.set(point, [...there, bound]);
  }

  #twice(message: string, plugins: readonly string[]): void {
    this.#problems.push({ code: 'duplicate_binding', message, plugins });
  }

  #assertOpen(plugin: string): void {
    if (this.#closed)
      throw new Error(`Plugin "${plugin}" registers too late: everything must be declared before register() returns.`);
  }
}

/** `EnginePort` for the symbol `@countersign/core:EnginePort`. */
export function tokenName(token: ServiceIdentifier): string {
  if (typeof token === 'symbol') return token.description?.replace(/^.*:/, '') ?? 'an unnamed token';
  return typeof token === 'function' ? token.name : String(token);
}
