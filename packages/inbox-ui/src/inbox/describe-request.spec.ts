import { expect } from 'chai';
import { describeRequest } from './describe-request.js';
import { createApproval, createCallSubject } from './inbox.spec.support.js';

describe('describeRequest', () => {
  it('should return the summary in one line, without characters that deceive', () => {
    expect(describeRequest(createApproval({ summary: 'ACME\n1200 \u202eEUR' }))).to.equal('ACME 1200 ⟦U+202E⟧EUR');
  });

  it('should return the action if there is no summary', () => {
    expect(describeRequest(createApproval())).to.equal('Continue the release run after “Approve the release”.');
  });

  it('should return the action of a tool call, which names its arguments', () => {
    expect(
      describeRequest(createApproval({ summary: 'to: "ada@example.org"', subject: createCallSubject() })),
    ).to.equal('Call mail.send on mail.example.org with to: "ada@example.org". This can’t be undone.');
  });
});
