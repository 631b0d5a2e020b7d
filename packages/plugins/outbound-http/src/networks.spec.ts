import { expect } from 'chai';
import { createAddressSet, parseNetwork, classifyAddress } from './networks.js';

describe('networks', () => {
  const classify = (address: string, ...allowed: string[]) =>
    classifyAddress(address, createAddressSet(allowed.map(parseNetwork).filter((network) => network !== undefined)));

  it('should classify public addresses as public', () => {
    for (const address of [
      '1.1.1.1',
      '93.184.216.34',
      '172.15.0.1',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '::ffff:1.1.1.1',
      '64:ff9b::101:101',
    ]) {
      expect(classify(address), address).to.equal('public');
    }
  });

  for (const [addressKind, addresses] of Object.entries({
    'this machine': ['127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '::'],
    'private networks': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12::1', 'fec0::1'],
    'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
    'link-local networks': ['169.254.0.1', 'fe80::1', 'fe80::1%eth0'],
    'metadata services': [
      '169.254.169.254',
      'fd00:ec2::254',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      '::ffff:169.254.169.254',
      '::ffff:168.63.129.16',
      '64:ff9b::a9fe:a9fe',
    ],
    'private IPv4 networks within IPv6': [
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b::10.0.0.1',
      '2002:7f00:1::',
      '64:ff9b:1::1',
    ],
    'reserved networks': [
      '192.0.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      'ff02::1',
      '2001::1',
      '2001:db8::1',
      '3fff::1',
      '100::1',
      '5f00::1',
    ],
    'an invalid format': ['', 'localhost', '1.2.3', '::g'],
  })) {
    it(`should refuse addresses of ${addressKind}`, () => {
      for (const address of addresses) expect(classify(address), address).to.equal('refused');
    });
  }

  it('should allow addresses of permitted networks in every notation', () => {
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::a01:203'])
      expect(classify(address, '10.1.0.0/16'), address).to.equal('allowed');
    expect(classify('10.2.0.1', '10.1.0.0/16')).to.equal('refused');
    expect(classify('::1', '::1')).to.equal('allowed');
    expect(classify('fd12::5', 'fd12::/16')).to.equal('allowed');
  });

  it('should refuse metadata services and link-local addresses even in permitted networks', () => {
    for (const address of [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      'fd00:ec2::254',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      'fe80::1',
      '0.0.0.0',
      '::',
    ]) {
      expect(classify(address, '0.0.0.0/0', '::/0', address), address).to.equal('refused');
    }
  });

  it('should be parsed from CIDR notation or a single address, but not from malformed values', () => {
    for (const value of ['10.0.0.0/8', '10.0.0.1', '::1', 'fd00::/8', '0.0.0.0/0'])
      expect(parseNetwork(value), value).not.to.equal(undefined);
    for (const value of [
      '',
      '10.0.0.0/33',
      '::/129',
      '10.0.0/8',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      'fe80::1%eth0',
      'localhost',
      '10.0.0.0/-1',
    ])
      expect(parseNetwork(value), value).to.equal(undefined);
  });
});
