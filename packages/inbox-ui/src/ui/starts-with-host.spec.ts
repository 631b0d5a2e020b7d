import { expect } from 'chai';
import { startsWithHost } from './starts-with-host.js';

describe('startsWithHost', () => {
  for (const label of [
    'bank.example',
    'https://bank.example',
    'HTTPS://bank.example/pay',
    'http://bank.example?pay',
    'mailto:bank.example',
  ])
    it(`should accept ${label}`, () => {
      expect(startsWithHost(label, 'bank.example')).to.equal(true);
    });

  for (const [label, host] of [
    ['https://bank.example@evil.example/', 'evil.example'],
    ['https://bank.example', 'evil.example'],
    ['https://bank.example.evil.example/', 'bank.example'],
    ['https://\u0430pple.com/', 'xn--pple-43d.com'],
    ['Pay at bank.example', 'bank.example'],
    ['', 'bank.example'],
  ] as const)
    it(`should not accept ${JSON.stringify(label)} for ${host}`, () => {
      expect(startsWithHost(label, host)).to.equal(false);
    });
});
