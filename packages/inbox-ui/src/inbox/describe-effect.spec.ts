import { expect } from 'chai';
import { describeEffect } from './describe-effect.js';
import { createCallSubject, createApproval } from './inbox.spec.support.js';

describe('describeEffect', () => {
  it('should name the tool, its arguments and its host, and state that the call cannot be undone', () => {
    const approval = createApproval({ subject: createCallSubject(), summary: 'to: ada@example.org · subject: Hello' });
    expect(describeEffect(approval)).to.equal(
      'Call mail.send on mail.example.org with to: ada@example.org · subject: Hello. This can’t be undone.',
    );
  });

  it('should state whether the call only reads or can be undone', () => {
    expect(
      describeEffect(createApproval({ subject: createCallSubject({ effect: 'read', hosts: [], inputs: {} }) })),
    ).to.equal('Call mail.send. It only reads data.');
    expect(
      describeEffect(createApproval({ subject: createCallSubject({ reversible: true, hosts: [], inputs: {} }) })),
    ).to.equal('Call mail.send. This can be undone.');
  });

  it('should escape misleading arguments', () => {
    const line = describeEffect(
      createApproval({ subject: createCallSubject({ hosts: [] }), summary: 'text: one\ntwo\u202ethree' }),
    );
    expect(line).to.contain('text: one two⟦U+202E⟧three');
  });

  it('should name the steps that follow a user task if they are known', () => {
    expect(describeEffect(createApproval())).to.equal('Continue the release run after “Approve the release”.');
    expect(describeEffect(createApproval(), ['Publish', 'Notify everyone'])).to.equal(
      'Continue the release run with “Publish”, “Notify everyone”.',
    );
  });

  it('should state how many other people must approve', () => {
    expect(describeEffect(createApproval({ quorum: { required: 3, approvals: 0 } }))).to.contain(
      'once 2 more people approve as well.',
    );
    expect(describeEffect(createApproval({ quorum: { required: 3, approvals: 1 } }))).to.contain(
      'once one more person approves as well.',
    );
    expect(describeEffect(createApproval({ quorum: { required: 3, approvals: 2 } }))).not.to.contain('more');
  });
});
