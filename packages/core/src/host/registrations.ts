import type { ServiceIdentifier } from 'inversify';
import type { Live } from './live.js';
import type { HostProblem } from '../errors/host-problem.js';
import type { Implementation, PluginRegistry } from './define-plugin.js';

interface Bound {
  readonly plugin: string;
  readonly implementation?: Implementation<unknown>;
  readonly value?: unknown;
}

/** A class and the plugin that registered it. */
export type BoundClass = Required<Pick<Bound, 'plugin' | 'implementation'>>;

/** The declarations of the plugins, in registration order. */
export class Registrations {
  /** Ports and provided values, by token. */
  readonly single = new Map<ServiceIdentifier, Bound>();
  /** Default implementations for ports that no plugin binds. */
  readonly defaults = new Map<ServiceIdentifier, BoundClass>();
  /** Contributions, by point. */
  readonly many = new Map<ServiceIdentifier, readonly BoundClass[]>();
  readonly #problems: HostProblem[];
  #closed = false;

  constructor(problems: HostProblem[]) {
    this.#problems = problems;
  }

  /** Refuses any further declarations. */
  close(): void {
    this.#closed = true;
  }

  /** Provides a value of the core. */
  provide(token: ServiceIdentifier, value: unknown): void {
    this.single.set(token, { plugin: 'core', value });
  }

  /**
   * Binds defaults to ports that no plugin binds. Drops the contributions of unused defaults.
   *
   * @param canBeMade returns whether all dependencies of a class are available
   */
  useDefaults(canBeMade: (candidate: BoundClass) => boolean): void {
    const standIns = [...this.defaults].filter(([port, candidate]) => !this.single.has(port) && canBeMade(candidate));
    for (const [port, candidate] of standIns) this.single.set(port, candidate);
    const used = new Set(standIns.map(([, { implementation }]) => implementation));
    const unused = new Set(
      [...this.defaults.values()]
        .map(({ implementation }) => implementation)
        .filter((implementation) => !used.has(implementation)),
    );
    for (const [point, contributions] of this.many)
      this.many.set(
        point,
        contributions.filter(({ implementation }) => !unused.has(implementation)),
      );
  }

  /** Sorts the contributions to a point by the given order of plugins. */
  sortContributions(point: ServiceIdentifier, plugins: readonly string[]): void {
    const there = this.many.get(point);
    if (there !== undefined)
      this.many.set(
        point,
        [...there].sort((left, right) => plugins.indexOf(left.plugin) - plugins.indexOf(right.plugin)),
      );
  }

  registryOf<Config>(plugin: string, live: Live<Config>): PluginRegistry<Config> {
    return Object.freeze({
      config: live.current,
      live,
      bind: <T>(port: ServiceIdentifier<T>, implementation: Implementation<T>) => {
        this.#claim(port, { plugin, implementation });
      },
      bindDefault: <T>(port: ServiceIdentifier<T>, implementation: Implementation<T>) => {
        this.#offer(port, { plugin, implementation });
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
      this.#twice(`Both "${there.plugin}" and "${bound.plugin}" bind ${tokenName(token)}. Load only one of them.`, [
        there.plugin,
        bound.plugin,
      ]);
  }

  #offer(port: ServiceIdentifier, candidate: BoundClass): void {
    this.#assertOpen(candidate.plugin);
    const there = this.defaults.get(port);
    if (there === undefined) this.defaults.set(port, candidate);
    else
      this.#twice(
        `Both "${there.plugin}" and "${candidate.plugin}" bind ${tokenName(port)} by default. Load only one of them.`,
        [there.plugin, candidate.plugin],
      );
  }

  #contribute(point: ServiceIdentifier, bound: BoundClass): void {
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
      throw new Error(`Plugin "${plugin}" registers too late. Declare everything before register() returns.`);
  }
}

/** Returns the display name of a token: `EnginePort` for the symbol `@countersign/core:EnginePort`. */
export function tokenName(token: ServiceIdentifier): string {
  if (typeof token === 'symbol') return token.description?.replace(/^.*:/, '') ?? 'an unnamed token';
  return typeof token === 'function' ? token.name : String(token);
}
