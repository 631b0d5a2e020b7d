import type { EngineCapability, Me } from '@countersign/contract';
import { texts } from '../texts/index.js';

/** A capability of engines that a user interface offers. */
export type OfferedCapability = EngineCapability & keyof typeof texts.app.engineCapabilities;

/** What the engine of the server can do. */
export interface EngineSupport {
  supports(capability: OfferedCapability): boolean;
  /** Explains which of these the engine cannot do; `undefined` if it can do all of them. */
  explainMissing(capabilities: readonly OfferedCapability[]): string | undefined;
}

/** @param engine `undefined`: an engine that can do everything */
export function createEngineSupport(engine: Me['engine'] | undefined): EngineSupport {
  const unsupported = new Set<EngineCapability>(engine?.unsupported);
  return {
    supports: (capability) => !unsupported.has(capability),
    explainMissing: (capabilities) => {
      const missing = capabilities.filter((capability) => unsupported.has(capability));
      if (engine === undefined || missing.length === 0) return undefined;
      const actions = missing.map((capability) => texts.app.engineCapabilities[capability]);
      return texts.app.engineLimit(engine.name, new Intl.ListFormat('en', { type: 'disjunction' }).format(actions));
    },
  };
}
