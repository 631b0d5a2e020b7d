import { expect } from 'chai';
import { isLocalRequest } from './is-local-request.js';

const OWN = '127.0.0.1';

describe('isLocalRequest', () => {
  for (const host of ['127.0.0.1:8080', 'localhost:8080', 'countersign.localhost', '[::1]:8080', '192.168.1.5:8080']) {
    it(`should let a program ask ${host}`, () => {
      expect(isLocalRequest({ host }, OWN)).to.equal(true);
    });
  }

  it('should let the page of this server, and one of another port of this machine, ask', () => {
    expect(isLocalRequest({ host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }, OWN)).to.equal(true);
    expect(isLocalRequest({ host: 'localhost:8080', origin: 'http://localhost:5173' }, OWN)).to.equal(true);
    expect(
      isLocalRequest({ host: 'build.internal:8080', origin: 'http://build.internal:8080' }, 'build.internal'),
    ).to.equal(true);
  });

  it('should refuse a page whose name was bound to this address', () => {
    expect(isLocalRequest({ host: 'evil.example:8080', origin: 'http://evil.example:8080' }, OWN)).to.equal(false);
    expect(isLocalRequest({ host: 'evil.example:8080' }, OWN)).to.equal(false);
    expect(isLocalRequest({ host: '127.0.0.1.evil.example' }, OWN)).to.equal(false);
  });

  it('should refuse a page from elsewhere, and one that hides where it is from', () => {
    for (const origin of [
      'http://evil.example',
      'http://localhost.evil.example',
      'https://192.168.1.9',
      'null',
      '',
      'http://',
    ]) {
      expect(isLocalRequest({ host: '127.0.0.1:8080', origin }, OWN), origin).to.equal(false);
    }
  });

  it('should refuse a request that names no host', () => {
    expect(isLocalRequest({}, OWN)).to.equal(false);
    expect(isLocalRequest({ host: '' }, OWN)).to.equal(false);
  });
});
