import {
  AgentRuntimePort,
  type Implementation,
  LifecycleContribution,
  type PluginRegistry,
  ReadinessCheckContribution,
} from '@countersign/core/plugin';
import { EnginePort } from '@countersign/core/ports';
import type { CommandEngine } from './command-engine.js';
import { ConfiguredEngineOptions } from './configured-engine-options.js';
import { EngineCheck } from './engine-check.js';
import { EngineDependencies, EngineOptionsToken } from './engine-dependencies.js';
import { EnginesCheck } from './engines-check.js';
import { EngineLifecycle } from './engine-lifecycle.js';

/** What the plugin of an engine depends on (`Plugin.dependsOn`). */
export const ENGINE_DEPENDS_ON = Object.freeze([AgentRuntimePort]);

/** Registers an engine: its binding, its options, its start and stop, and its readiness checks. */
export function registerEngine(
  { bind, contribute }: Pick<PluginRegistry<unknown>, 'bind' | 'contribute'>,
  engine: Implementation<CommandEngine>,
): void {
  bind(EngineOptionsToken, ConfiguredEngineOptions);
  bind(EngineDependencies, EngineDependencies);
  bind(EnginePort, engine);
  contribute(LifecycleContribution, EngineLifecycle);
  contribute(ReadinessCheckContribution, EngineCheck);
  contribute(ReadinessCheckContribution, EnginesCheck);
}
