import type { ServiceIdentifier } from 'inversify';
import type { Live } from './live.js';
import type { HostProblem } from '../errors/host-problem.js';
import type { Implementation, PluginRegistry } from './define-plugin.js';

interface Binding {
  readonly plugin: string;
  readonly implementation?: Implementation<unknown>;
  readonly value?: unknown;
}

/** A class and the plugin that registered it. */
export type ClassBinding = Required<Pick<Binding, 'plugin' | 'implementation'>>;

/** The declarations of the plugins, in registration order. */
export class Registrations {
  /** Ports and provided values, by token. */
  readonly bindings = new Map<ServiceIdentifier, Binding>();
  /** Default implementations for ports that no plugin binds. */
  readonly defaultBindings = new Map<ServiceIdentifier, ClassBinding>();
  /** Contributions, by point. */
  readonly contributions = new Map<ServiceIdentifier, readonly ClassBinding[]>();
  readonly #problems: HostProblem[];
  #isClosed = false;

  constructor(problems: HostProblem[]) {
    this.#problems = problems;
  }

  /** Refuses any further declarations. */
  close(): void {
    this.#isClosed = true;
  }

  /** Provides a value of the core. */
  provide(token: ServiceIdentifier, value: unknown): void {
    this.bindings.set(token, { plugin: 'core', value });
  }

  /**
   * Binds defaults to ports that no plugin binds. Drops the contributions of unused defaults.
   *
   * @param canBeConstructed returns whether all dependencies of a class are available
   */
  applyDefaults(canBeConstructed: (candidate: ClassBinding) => boolean): void {
    const usedDefaults = [...this.defaultBindings].filter(
      ([port, candidate]) => !this.bindings.has(port) && canBeConstructed(candidate),
    );
    for (const [port, candidate] of usedDefaults) this.bindings.set(port, candidate);
    const used = new Set(usedDefaults.map(([, { implementation }]) => implementation));
    const unused = new Set(
      [...this.defaultBindings.values()]
        .map(({ implementation }) => implementation)
        .filter((implementation) => !used.has(implementation)),
    );
    for (const [point, contributions] of this.contributions)
      this.contributions.set(
        point,
        contributions.filter(({ implementation }) => !unused.has(implementation)),
      );
  }

  /** Sorts the contributions to a point by the given order of plugins. */
  sortContributions(point: ServiceIdentifier, plugins: readonly string[]): void {
    const registered = this.contributions.get(point);
    if (registered !== undefined)
      this.contributions.set(
        point,
        [...registered].sort((left, right) => plugins.indexOf(left.plugin) - plugins.indexOf(right.plugin)),
      );
  }

  createRegistry<Config>(plugin: string, live: Live<Config>): PluginRegistry<Config> {
    return Object.freeze({
      config: live.current,
      live,
      bind: <T>(port: ServiceIdentifier<T>, implementation: Implementation<T>) => {
        this.#bind(port, { plugin, implementation });
      },
      bindDefault: <T>(port: ServiceIdentifier<T>, implementation: Implementation<T>) => {
        this.#bindDefault(port, { plugin, implementation });
      },
      provide: <T>(token: ServiceIdentifier<T>, value: T) => {
        this.#bind(token, { plugin, value });
      },
      contribute: <T>(point: ServiceIdentifier<T>, implementation: Implementation<T>) => {
        this.#contribute(point, { plugin, implementation });
      },
    });
  }

  #bind(token: ServiceIdentifier, bound: Binding): void {
    this.#assertOpen(bound.plugin);
    const existing = this.bindings.get(token);
    if (existing === undefined) this.bindings.set(token, bound);
    else if (existing.plugin === bound.plugin)
      this.#reportDuplicate(`Plugin "${bound.plugin}" binds ${getTokenName(token)} twice.`, [bound.plugin]);
    else
      this.#reportDuplicate(
        `Both "${existing.plugin}" and "${bound.plugin}" bind ${getTokenName(token)}. Load only one of them.`,
        [existing.plugin, bound.plugin],
      );
  }

  #bindDefault(port: ServiceIdentifier, candidate: ClassBinding): void {
    this.#assertOpen(candidate.plugin);
    const existing = this.defaultBindings.get(port);
    if (existing === undefined) this.defaultBindings.set(port, candidate);
    else
      this.#reportDuplicate(
        `Both "${existing.plugin}" and "${candidate.plugin}" bind ${getTokenName(port)} by default. Load only one of them.`,
        [existing.plugin, candidate.plugin],
      );
  }

  #contribute(point: ServiceIdentifier, bound: ClassBinding): void {
    this.#assertOpen(bound.plugin);
    const registered = this.contributions.get(point) ?? [];
    const duplicate = registered.find(({ implementation }) => implementation === bound.implementation);
    if (duplicate !== undefined)
      this.#reportDuplicate(
        `${bound.implementation.name} is contributed to ${getTokenName(point)} twice, by "${duplicate.plugin}" and "${bound.plugin}".`,
        [duplicate.plugin, bound.plugin],
      );
    else this.contributions.set(point, [...registered, bound]);
  }

  #reportDuplicate(message: string, plugins: readonly string[]): void {
    this.#problems.push({ code: 'duplicate_binding', message, plugins });
  }

  #assertOpen(plugin: string): void {
    if (this.#isClosed)
      throw new Error(`Plugin "${plugin}" registers too late. Declare everything before register() returns.`);
  }
}

/** Returns the display name of a token: `EnginePort` for the symbol `@countersign/core:EnginePort`. */
export function getTokenName(token: ServiceIdentifier): string {
  if (typeof token === 'symbol') return token.description?.replace(/^.*:/, '') ?? 'an unnamed token';
  return typeof token === 'function' ? token.name : String(token);
}
