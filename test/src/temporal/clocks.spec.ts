import type { ClockPort } from '@countersign/core';
import { currentTime } from '@countersign/testing';
import { expect } from 'chai';
import { createTimerModel } from '../engines/engine-models.spec.support.js';
import { waitForEnd } from '../http/http.spec.support.js';
import { createTemporalHost, useTemporalServer } from './temporal-host.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

const HOUR_MS = 3_600_000;

describeOnTemporal('clocks', function () {
  this.timeout(60_000);
  const context = useTemporalServer();

  for (const [title, offsetMs] of [
    ['an hour ahead of', HOUR_MS],
    ['an hour behind', -HOUR_MS],
  ] as const)
    it(`should fire a timer in time if the clock of the servers is ${title} that of the cluster`, async () => {
      // given
      const clock: ClockPort = { now: () => currentTime() + offsetMs };
      const host = await createTemporalHost(context.server, { clock });
      try {
        await host.deploy(createTimerModel('PT1S'));
        const viewer = await host.client('viewer', 'vera');

        // when
        const { runId, startedAt } = await viewer.startRun({ body: { workflowId: 'waiting' } });
        await host.jobs.complete('work', {});

        // then
        const { steps } = await waitForEnd(viewer, runId);
        const firedAfterMs =
          Date.parse(steps.find(({ elementId }) => elementId === 'work')?.startedAt ?? '') - Date.parse(startedAt);
        expect(firedAfterMs).to.be.within(1_000, 20_000);
      } finally {
        await host.close();
      }
    });
});
