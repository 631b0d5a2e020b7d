import { describeEngine } from '@countersign/testing';
import { createTestEngine, useTemporalServer } from './temporal-host.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

describeOnTemporal('the contract of engines', () => {
  const context = useTemporalServer();

  describeEngine('the Temporal engine', () => createTestEngine(context.server.address));
});
