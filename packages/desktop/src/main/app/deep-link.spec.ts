import { expect } from 'chai';
import { findLink, parseLink } from './deep-link.js';

const ID = '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77';

describe('parseLink', () => {
  it('should accept the link of an approval', () => {
    for (const link of [
      `countersign://approvals/${ID}`,
      `countersign://approvals/${ID}/`,
      `COUNTERSIGN://approvals/${ID.toUpperCase()}`,
    ])
      expect(parseLink(link), link).to.deep.equal({ approvalId: ID });
  });

  it('should accept the link of a question', () => {
    for (const link of [
      `countersign://approvals/questions/${ID}`,
      `COUNTERSIGN://approvals/questions/${ID.toUpperCase()}/`,
    ])
      expect(parseLink(link), link).to.deep.equal({ questionId: ID });
  });

  it('should refuse malformed links, links with additional parts and links with another scheme or host', () => {
    const invalidLinks = [
      '',
      'countersign://approvals/',
      'countersign://approvals/1',
      `countersign://approve/${ID}`,
      `countersign://approvals/${ID}?decision=approve`,
      `countersign://approvals/${ID}#x`,
      `countersign://approvals/${ID}/approve`,
      `countersign://approvals/questions/`,
      `countersign://questions/${ID}`,
      `countersign://approvals/questions/questions/${ID}`,
      `countersign://approvals/questions/${ID}?answer=yes`,
      `https://approvals/${ID}`,
      ` countersign://approvals/${ID}`,
      `countersign://approvals/${ID}\nx`,
      `countersign://user@approvals/${ID}`,
    ];
    for (const link of invalidLinks) expect(parseLink(link), link).to.equal(undefined);
  });
});

describe('findLink', () => {
  it('should find the link among the command-line arguments', () => {
    expect(findLink(['electron', '--flag', '/app', `countersign://approvals/${ID}`])).to.deep.equal({
      approvalId: ID,
    });
    expect(findLink(['electron', '/app'])).to.equal(undefined);
  });
});
