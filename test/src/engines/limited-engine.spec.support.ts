import { inject, injectable } from 'inversify';
import { EnginePort, type Plugin } from '@countersign/core';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import type { EngineCapability } from '@countersign/model';
import { replaceBinding } from './replace-binding.spec.support.js';

const Unlimited = Symbol('unlimited engine');

const METHODS: Readonly<Partial<Record<EngineCapability, keyof EnginePort>>> = {
  approval_comments: 'commentOnApproval',
  approval_delegation: 'delegateApproval',
  approval_reassignment: 'reassignApproval',
  conditional_starts: 'evaluateConditions',
  dmn_decisions: 'deployDecisions',
  event_redelivery: 'redeliverEvent',
  migration: 'migrateRun',
  personal_data_erasure: 'erasePersonalData',
};

/** Creates the plugin of an engine that lacks some capabilities, and fails if it is asked for them. */
export function createLimitedEngine(unsupported: readonly EngineCapability[]): Plugin {
  const missingMethods = new Set<PropertyKey | undefined>(unsupported.map((capability) => METHODS[capability]));

  @injectable()
  class LimitedEngine {
    constructor(@inject(Unlimited) engine: EnginePort) {
      const capabilities = new Set([...engine.capabilities].filter((each) => !unsupported.includes(each)));
      return new Proxy(engine, {
        get(target, key) {
          if (key === 'name') return 'limited';
          if (key === 'capabilities') return capabilities;
          if (missingMethods.has(key)) return () => Promise.reject(new Error(`${String(key)} was called`));
          const member: unknown = Reflect.get(target, key);
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      });
    }
  }

  return replaceBinding(engineEmbeddedPlugin, EnginePort, (registry, implementation) => {
    registry.bind(Unlimited, implementation);
    registry.bind(EnginePort, LimitedEngine as unknown as new () => EnginePort);
  });
}
