import { ApiError, ENGINE_CAPABILITIES, type EngineCapability } from '@countersign/model';
import type { EnginePort } from '../ports/engine.js';

/** @throws {ApiError} `not_supported_by_engine` if the engine does not have the capability */
export function requireCapability(
  { name, capabilities }: Pick<EnginePort, 'name' | 'capabilities'>,
  capability: EngineCapability,
): void {
  if (capabilities.has(capability)) return;
  throw new ApiError(
    'not_supported_by_engine',
    `The engine of this server ("${name}") cannot ${ENGINE_CAPABILITIES[capability]}.`,
    { engine: name, capability },
  );
}
