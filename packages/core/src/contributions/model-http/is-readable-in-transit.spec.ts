import { expect } from 'chai';
import { isReadableInTransit } from './is-readable-in-transit.js';

describe('isReadableInTransit', () => {
  it('should return true for plain HTTP to a public address', () => {
    for (const url of [
      'http://api.example.org/',
      'http://8.8.8.8/',
      'http://[2001:db8::1]/',
      'http://[::ffff:8.8.8.8]/',
      'http://172.32.0.1/',
      'http://127.0.0.1.example.org/',
    ])
      expect(isReadableInTransit(new URL(url)), url).to.equal(true);
  });

  it('should return false for TLS, for this machine and for private networks', () => {
    for (const url of [
      'https://api.example.org/',
      'http://localhost:1/',
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://[::1]/',
      'http://10.1.2.3/',
      'http://[fd00::1]/',
      'http://[::ffff:10.1.2.3]/',
      'http://db.internal./',
      'http://ollama:11434/',
      'http://vllm.svc.cluster.local/',
    ]) {
      expect(isReadableInTransit(new URL(url)), url).to.equal(false);
    }
  });
});
