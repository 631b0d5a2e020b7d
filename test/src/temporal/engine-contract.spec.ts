import { describeEngine } from '@countersign/testing';
import { randomUUID } from 'node:crypto';
import { useTemporalServer } from './temporal-host.spec.support.js';
import { describeOnTemporal, temporalEngine } from './temporal-server.spec.support.js';

describeOnTemporal('the contract of engines', () => {
  const context = useTemporalServer();

  describeEngine('the Temporal engine', () => {
    if (temporalEngine === undefined) throw new Error('The dependencies of the Temporal engine are not installed.');
    // Each installation has its own prefix, because the cluster outlives it.
    return { engine: temporalEngine, configuration: context.server.configure({ TaskQueuePrefix: randomUUID() }) };
  });
});
