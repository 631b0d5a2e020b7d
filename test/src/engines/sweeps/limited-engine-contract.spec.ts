import { ENGINE_CAPABILITY_NAMES } from '@countersign/model';
import { describeEngine } from '@countersign/testing';
import { createLimitedEngine } from '../limited-engine.spec.support.js';

describeEngine('an engine without optional capabilities', () => ({
  plugin: createLimitedEngine(ENGINE_CAPABILITY_NAMES),
}));
