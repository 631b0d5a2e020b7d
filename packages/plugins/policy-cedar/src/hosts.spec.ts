import { readDestination } from '@countersign/model';
import { expect } from 'chai';
import { buildCallRequest, findIssues, compilePolicy, buildStepRequest } from './policies.spec.support.js';

const PERMIT_ALL =
  '@id("steps") permit (principal, action == Action::"perform", resource);\n@id("calls") permit (principal, action, resource);\n';
const buildForbidPolicy = (condition: string): string =>
  `${PERMIT_ALL}@id("rule") forbid (principal, action == Action::"call", resource) when { ${condition} };`;

const PASTEBIN = 'context.domains.contains("pastebin.example")';
const HOST = 'context.hosts.contains("pastebin.example")';
const ADDRESS = 'context.hosts.contains("10.0.0.1")';
const IPV6 = 'context.hosts.contains("2001:db8::1")';
const UMLAUT = 'context.domains.contains("xn--mnchen-3ya.example")';
const PORT_8443 = 'context.ports.contains(8443)';
const PORT_80 = 'context.ports.contains(80)';
const PORT_443 = '[443, 8443].containsAny(context.ports)';
const NOT_ONLY_443 = '![443].containsAll(context.ports)';
const PASTEBIN_AT_80 = `${PASTEBIN} && ${PORT_80}`;
/** Conditions whose hosts are not in their normal form. */
const UNNORMALISED_CONDITIONS = {
  capitals: 'context.domains.contains("PasteBin.EXAMPLE")',
  trailingDot: 'context.domains.containsAny(["a.example", "pastebin.example."])',
  unicode: 'context.domains.contains("bücher.example")',
  mixedScripts: 'context.domains.contains("пример.example")',
  fullWidth: 'context.hosts.contains("ｐastebin。example")',
  brackets: 'context.hosts.contains("[::1]")',
  ipv6: '["2001:DB8:0:0::1"].containsAny(context["hosts"])',
  ipv4Mapped: 'context.hosts == ["::ffff:10.0.0.1"]',
  octal: 'context.hosts.contains("010.0.0.1")',
  conditional: 'context.hosts.contains(if context.edited then "a.example" else "[::1]")',
};

/** A condition that forbids, a URL, and the expected decision on the call. */
const DECISIONS: readonly (readonly [condition: string, url: string, decision: 'allow' | 'deny'])[] = [
  [PASTEBIN, 'https://pastebin.example/', 'deny'],
  [PASTEBIN, 'https://pastebin.example:8443/', 'deny'],
  [PASTEBIN, 'https://pastebin.example:443/', 'deny'],
  [PASTEBIN, 'http://pastebin.example:443/', 'deny'],
  [PASTEBIN, 'https://PasteBin.Example/', 'deny'],
  [PASTEBIN, 'https://pastebin.example./', 'deny'],
  [PASTEBIN, 'https://pastebin.example.:8443/', 'deny'],
  [PASTEBIN, 'https://pastebin.example..:8443/', 'deny'],
  [PASTEBIN, 'https://someone@pastebin.example:8443/', 'deny'],
  [PASTEBIN, 'https://good.example:x@pastebin.example/', 'deny'],
  [PASTEBIN, 'https://pastebin%2Eexample:8443/', 'deny'],
  [PASTEBIN, 'https://ｐastebin。example:8443/', 'deny'],
  [PASTEBIN, 'https://a.b.pastebin.example:8443/', 'deny'],
  [PASTEBIN, 'https://pastebin.example@good.example/', 'allow'],
  [PASTEBIN, 'https://notpastebin.example:8443/', 'allow'],
  [PASTEBIN, 'https://pastebin.example.good.example/', 'allow'],
  [PASTEBIN, 'https://good.example/pastebin.example', 'allow'],
  [HOST, 'https://pastebin.example:8443/', 'deny'],
  [HOST, 'https://a.pastebin.example:8443/', 'allow'],
  [ADDRESS, 'http://10.0.0.1:8080/', 'deny'],
  [ADDRESS, 'http://10.1:8080/', 'deny'],
  [ADDRESS, 'http://0x0a000001/', 'deny'],
  [ADDRESS, 'http://167772161/', 'deny'],
  [ADDRESS, 'http://[::ffff:10.0.0.1]:8080/', 'deny'],
  [ADDRESS, 'http://[64:ff9b::a00:1]/', 'deny'],
  [ADDRESS, 'http://10.0.0.11/', 'allow'],
  [IPV6, 'https://[2001:db8::1]:8443/', 'deny'],
  [IPV6, 'https://[2001:DB8:0:0::1]/', 'deny'],
  [IPV6, 'https://[2001:db8::2]/', 'allow'],
  [UMLAUT, 'https://münchen.example:8443/', 'deny'],
  [UMLAUT, 'https://www.MÜNCHEN.example./', 'deny'],
  [UMLAUT, 'https://xn--mnchen-3ya.example/', 'deny'],
  [UMLAUT, 'https://munchen.example/', 'allow'],
  [NOT_ONLY_443, 'https://pastebin.example/', 'allow'],
  [NOT_ONLY_443, 'https://pastebin.example:443/', 'allow'],
  [NOT_ONLY_443, 'http://pastebin.example:443/', 'allow'],
  [NOT_ONLY_443, 'http://pastebin.example/', 'deny'],
  [NOT_ONLY_443, 'https://pastebin.example:80/', 'deny'],
  [NOT_ONLY_443, 'https://[2001:db8::1]:8443/', 'deny'],
  [PORT_80, 'http://pastebin.example/', 'deny'],
  [PORT_80, 'HTTP://pastebin.example./', 'deny'],
  [PORT_80, 'http://pastebin.example:80/', 'deny'],
  [PORT_80, 'http://pastebin.example:0080/', 'deny'],
  [PORT_80, 'https://pastebin.example:80/', 'deny'],
  [PORT_80, 'http://[::1]/', 'deny'],
  [PORT_80, 'http://167772161/', 'deny'],
  [PORT_80, 'http://someone:80@pastebin.example:8080/', 'allow'],
  [PORT_80, 'https://pastebin.example/', 'allow'],
  [PORT_80, 'https://[2001:db8::80]/', 'allow'],
  [PORT_443, 'https://pastebin.example/', 'deny'],
  [PORT_443, 'https://pastebin.example:443/', 'deny'],
  [PORT_443, 'http://pastebin.example:443/', 'deny'],
  [PORT_443, 'https://[::1]/', 'deny'],
  [PORT_443, 'http://pastebin.example/', 'allow'],
  [PASTEBIN_AT_80, 'http://PasteBin.example/', 'deny'],
  [PASTEBIN_AT_80, 'https://pastebin.example/', 'allow'],
  [PORT_8443, 'https://pastebin.example.:8443/', 'deny'],
  [PORT_8443, 'https://pastebin.example:8444/', 'allow'],
  [ADDRESS, 'http://012.0.0.1/', 'deny'],
  [ADDRESS, 'http://012.0.1:8080/', 'deny'],
  [UNNORMALISED_CONDITIONS.capitals, 'https://www.pastebin.example:8443/', 'deny'],
  [UNNORMALISED_CONDITIONS.trailingDot, 'https://pastebin.example/', 'deny'],
  [UNNORMALISED_CONDITIONS.trailingDot, 'https://a.example:8443/', 'deny'],
  [UNNORMALISED_CONDITIONS.trailingDot, 'https://b.example/', 'allow'],
  [UNNORMALISED_CONDITIONS.unicode, 'https://bücher.example/', 'deny'],
  [UNNORMALISED_CONDITIONS.unicode, 'https://www.xn--bcher-kva.example:8443/', 'deny'],
  [UNNORMALISED_CONDITIONS.unicode, 'https://bucher.example/', 'allow'],
  [UNNORMALISED_CONDITIONS.mixedScripts, 'https://xn--e1afmkfd.example/', 'deny'],
  [UNNORMALISED_CONDITIONS.fullWidth, 'https://pastebin.example/', 'deny'],
  [UNNORMALISED_CONDITIONS.brackets, 'http://[::1]:8300/', 'deny'],
  [UNNORMALISED_CONDITIONS.brackets, 'http://[0:0:0:0:0:0:0:1]/', 'deny'],
  [UNNORMALISED_CONDITIONS.brackets, 'http://[::2]/', 'allow'],
  [UNNORMALISED_CONDITIONS.ipv6, 'http://[2001:db8::1]/', 'deny'],
  [UNNORMALISED_CONDITIONS.ipv4Mapped, 'http://10.0.0.1/', 'deny'],
  [UNNORMALISED_CONDITIONS.octal, 'http://8.0.0.1/', 'deny'],
  [UNNORMALISED_CONDITIONS.conditional, 'http://[::1]/', 'deny'],
  [UNNORMALISED_CONDITIONS.conditional, 'http://a.example/', 'allow'],
];

describe('hosts in policies', () => {
  for (const [condition, url, decision] of DECISIONS) {
    it(`should ${decision} ${url} when ${condition} is forbidden`, async () => {
      const policy = await compilePolicy(buildForbidPolicy(condition));

      // Agent tools declare their destination as an origin.
      const { hosts, ports } = readDestination([new URL(url).origin]);
      expect(policy(buildCallRequest({ hosts }, { ports })).decision).to.equal(decision);
    });
  }

  // The same conditions in a policy for steps and calls.
  for (const [condition, url, decision] of DECISIONS.filter(([condition]) => !condition.includes('context.edited'))) {
    it(`should ${decision} a step that accesses ${url} when one policy forbids ${condition} for steps and calls`, async () => {
      const policy = await compilePolicy(
        `@id("all") permit (principal, action, resource);\n@id("rule") forbid (principal, action, resource) when { ${condition} };`,
      );
      const { hosts, ports } = readDestination([new URL(url).origin]);

      expect(policy(buildStepRequest('serviceTask', { jobType: 'http', hosts, ports })).decision).to.equal(decision);
      expect(policy(buildCallRequest({ hosts }, { ports })).decision).to.equal(decision);
    });
  }

  it('should be empty for a step whose hosts are unknown', async () => {
    const policy = await compilePolicy(
      '@id("all") permit (principal, action, resource) when { context.hosts.isEmpty() && !context.ports.contains(80) };',
    );

    expect(policy(buildStepRequest('serviceTask')).decision).to.equal('allow');
    expect(policy(buildStepRequest('serviceTask', { hosts: ['a.example'] })).decision).to.equal('deny');
  });

  const INVALID_CONDITIONS: readonly (readonly [condition: string, message: string])[] = [
    [
      'context.hosts.contains("pastebin.example:8443")',
      'write "pastebin.example", and check the port with context.ports.contains(8443)',
    ],
    ['context.hosts == ["[::1]:8443"]', 'write "::1", and check the port with context.ports.contains(8443)'],
    ['context.hosts.contains("https://a.example")', 'it is not a host name or address'],
    ['context.hosts.contains("someone@a.example")', 'it is not a host name or address'],
    ['context.hosts.contains("https:")', 'it is not a host name or address'],
    ['(if context.edited then context.hosts else context.domains).contains("*")', 'it is not a host name or address'],
    ['context.hosts.contains("A.example") && context.workflowVersion == 9007199254740993', 'very large'],
    ['context.hosts.contains("")', 'it is not a host name or address'],
    ['context.hosts.contains("*")', 'it is not a host name or address'],
    ['context.hosts.contains("a..example")', 'it is not a host name or address'],
    ['context.hosts.contains("a*.example")', 'it is not a host name or address'],
    ['context.hosts.contains("fe80::1%eth0")', 'it is not a host name or address'],
    ['context.domains.contains("*.a.example")', 'write context.domains.contains("a.example")'],
    ['["b.example", ".A.example"].containsAll(context.hosts)', 'write context.domains.contains("a.example")'],
    ['context.domains.contains(if context.edited then "a.example" else "*.b.example")', '"b.example"'],
  ];

  for (const [condition, message] of INVALID_CONDITIONS) {
    it(`should be refused in a condition that no host can match: ${condition}`, async () => {
      const [issue, ...others] = await findIssues(buildForbidPolicy(condition));

      expect(others).to.deep.equal([]);
      expect(issue).to.contain('host').and.contain(message);
    });
  }

  for (const condition of ['context.ports.contains(0)', 'context.ports.containsAny([443, 65536])']) {
    it(`should be refused in a condition that no port can match: ${condition}`, async () => {
      const [issue, ...others] = await findIssues(buildForbidPolicy(condition));

      expect(others).to.deep.equal([]);
      expect(issue).to.contain('never matches a port: write a port from 1 to 65535');
    });
  }

  for (const condition of [
    '!context.ports.isEmpty()',
    'context.hosts.isEmpty() || context["ports"].isEmpty()',
    'if context.edited then true else context.ports.isEmpty()',
  ]) {
    it(`should refuse an obsolete check for default ports, which are listed since ADR 140: ${condition}`, async () => {
      const [issue, ...others] = await findIssues(buildForbidPolicy(condition));

      expect(others).to.deep.equal([]);
      expect(issue).to.contain('write [443].containsAll(context.ports)').and.contain('context.hosts.isEmpty()');
    });
  }

  it('should not bypass the schema check when a host is not in its normal form', async () => {
    const [issue] = await findIssues(buildForbidPolicy('context.domains.contains("BÜCHER.example") && context.lost'));

    expect(issue).to.contain('lost');
  });

  it('should be accepted in their normal form', async () => {
    expect(
      await findIssues(
        buildForbidPolicy(
          'context.hosts.containsAny(["a.example", "::1", "10.0.0.1"]) || context.domains.contains("example")',
        ),
      ),
    ).to.deep.equal([]);
  });
});
