import { expect } from 'chai';
import { jobArtifactId } from './job-artifact-id.js';

const JOB = '019aa000-1234-7001-8abc-000000000001';

describe('jobArtifactId', () => {
  it('should be a UUIDv7 with the time of the job', () => {
    expect(jobArtifactId(JOB, 'report.txt', 'aa')).to.match(/^019aa000-1234-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('should be the same for the same job, name and bytes, and differ else', () => {
    const all = [jobArtifactId(JOB, 'a', 'aa'), jobArtifactId(JOB, 'b', 'aa'), jobArtifactId(JOB, 'a', 'bb'), jobArtifactId(JOB.replace('1234', '1235'), 'a', 'aa')];

    expect(new Set(all)).to.have.property('size', 4);
    expect(jobArtifactId(JOB, 'a', 'aa')).to.equal(all[0]);
  });
});
