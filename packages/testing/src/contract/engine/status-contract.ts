import { ENGINE_CAPABILITY_NAMES } from '@countersign/model';
import { currentTime, waitUntil } from '@countersign/model/testing';
import { expect } from 'chai';
import { serviceTask } from '../../host/process-model.js';
import { findProblem } from '../../host/expect-problem.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { CAPABILITY_REQUESTS } from './capability-requests.js';
import { DEFAULT_JOB_TYPES, describePart } from './describe-part.js';
import { END, sequence, START } from '../../host/elements.js';

/** Tests the status that an engine reports. */
export function describeStatus(create: CreateTestEngine): void {
  const models = [sequence('job', START, serviceTask('work', 'work', 1), END)];
  describePart('status', create, { models }, (getHost) => {
    it('should describe the engine to every user', async () => {
      const { engine, viewer } = getHost();

      const unsupported = ENGINE_CAPABILITY_NAMES.filter((name) => !engine.capabilities.has(name));
      expect((await viewer.getMe()).engine).to.deep.equal({ name: engine.name, unsupported });
    });

    it('should report the process', async () => {
      const { engine, operator } = getHost();

      const { mode, version, instanceId, startedAt, external } = await engine.status();

      expect(version).to.match(/\d/);
      expect(startedAt).to.be.at.most(currentTime());
      expect(await operator.getRuntime()).to.deep.include({ mode, instanceId });
      expect((await operator.getEngine()).status, 'of an engine that works').to.equal('ok');
      expect(external).to.be.a('boolean');
    });

    it('should report the workers of all job types with their running jobs', async () => {
      // given
      const host = getHost();
      const listWorkers = async () => new Map((await host.engine.status()).workers.map((each) => [each.jobType, each]));
      expect([...(await listWorkers()).keys()]).to.include.members(DEFAULT_JOB_TYPES);
      expect((await listWorkers()).get('work')).to.include({ active: 0 });

      // when
      const held = await host.takeJob(await host.startRun('job'));

      // then
      expect((await listWorkers()).get('work')).to.include({ active: 1 });
      held.complete();
      await waitUntil('no job runs', async () => (await listWorkers()).get('work')?.active === 0);
    });

    for (const capability of ENGINE_CAPABILITY_NAMES) {
      it(`should refuse requests for ${capability} only if the engine cannot execute them`, async () => {
        const { engine, admin } = getHost();

        const problem = await findProblem(CAPABILITY_REQUESTS[capability](admin));

        if (engine.capabilities.has(capability)) expect(problem?.code).not.to.equal('not_supported_by_engine');
        else
          expect(problem).to.include({
            status: 501,
            code: 'not_supported_by_engine',
            retryable: false,
          });
      });
    }
  });
}
