import { expect } from 'chai';
import { isLocalRequest } from './is-local-request.js';

const OWN_HOST = '127.0.0.1';

describe('isLocalRequest', () => {
  for (const host of ['127.0.0.1:8080', 'localhost:8080', 'countersign.localhost', '[::1]:8080', '192.168.1.5:8080']) {
    it(`should accept a request to ${host} without an origin`, () => {
      expect(isLocalRequest({ host }, OWN_HOST)).to.equal(true);
    });
  }

  it('should accept a page of this server or of another port of this machine', () => {
    expect(isLocalRequest({ host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }, OWN_HOST)).to.equal(true);
    expect(isLocalRequest({ host: 'localhost:8080', origin: 'http://localhost:5173' }, OWN_HOST)).to.equal(true);
    expect(
      isLocalRequest({ host: 'build.internal:8080', origin: 'http://build.internal:8080' }, 'build.internal'),
    ).to.equal(true);
  });

  it('should refuse a page under a foreign host name that resolves to this address (DNS rebinding)', () => {
    expect(isLocalRequest({ host: 'evil.example:8080', origin: 'http://evil.example:8080' }, OWN_HOST)).to.equal(false);
    expect(isLocalRequest({ host: 'evil.example:8080' }, OWN_HOST)).to.equal(false);
    expect(isLocalRequest({ host: '127.0.0.1.evil.example' }, OWN_HOST)).to.equal(false);
  });

  it('should refuse a page of another origin or with an opaque origin', () => {
    for (const origin of [
      'http://evil.example',
      'http://localhost.evil.example',
      'https://192.168.1.9',
      'null',
      '',
      'http://',
    ]) {
      expect(isLocalRequest({ host: '127.0.0.1:8080', origin }, OWN_HOST), origin).to.equal(false);
    }
  });

  it('should refuse a request without a host', () => {
    expect(isLocalRequest({}, OWN_HOST)).to.equal(false);
    expect(isLocalRequest({ host: '' }, OWN_HOST)).to.equal(false);
  });
});
