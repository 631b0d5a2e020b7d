import { expect } from 'chai';
import { createConfigurationFile, resolveWithIngress } from './configuration.spec.support.js';

describe('configuration errors', () => {
  it('should report every misspelt or misplaced key with its source and a suggestion', () => {
    const { messages } = resolveWithIngress({
      file: createConfigurationFile({
        server: { Port: 1 },
        Server: { Prot: 1 },
        Runs: 'soon',
        Integrations: { EventIngress: { Sources: [{ Id: 'a', secret: 'x' }] } },
      }),
      environment: {
        Server__Prt: '1',
        Log__Level__Deep: 'x',
        Auth__Scopes__first: 'x',
        Integrations__EventIngress__Sources__3__Id: 'd',
      },
      commandLine: [
        { key: 'Limits:Bodybytes', value: '1' },
        { key: 'Server:Port', value: 'eighty', option: '--port' },
        { key: 'Auth', value: 'x' },
      ],
    });

    expect(messages).to.have.members([
      'Unknown configuration key server (file /etc/countersign/config.yaml). Did you mean "Server"?',
      'Unknown configuration key Server:Prot (file /etc/countersign/config.yaml). Did you mean "Port"?',
      'Runs must be a section that contains keys (file /etc/countersign/config.yaml).',
      'Unknown configuration key Integrations:EventIngress:Sources:0:secret (file /etc/countersign/config.yaml). Did you mean "Secret"?',
      'Unknown configuration key Server:Prt (environment variable Server__Prt). Did you mean "Port"?',
      'Log:Level is a value and has no key "Deep" (environment variable Log__Level__Deep).',
      'Auth:Scopes is a list with items numbered from 0; "first" is not an index (environment variable Auth__Scopes__first).',
      'Integrations:EventIngress:Sources has an item 3 but no item 1.',
      'Unknown configuration key Limits:Bodybytes (command line, --set Limits:Bodybytes). Did you mean "BodyBytes"?',
      'Server:Port is wrong (command line, --port): Expected a number.',
      'Auth is wrong (command line, --set Auth): This is a section. Set its keys one by one, or give a JSON object.',
    ]);
  });

  it('should refuse numbers that cannot be stored exactly or are not decimal', () => {
    const { messages } = resolveWithIngress({
      environment: { Server__Port: '9007199254740993', Limits__BodyBytes: '0x400' },
      commandLine: [{ key: 'Integrations:EventIngress:Sources', value: '[{"Id": 0.12345678901234567890}]' }],
    });

    expect(messages).to.have.members([
      'Server:Port is wrong (environment variable Server__Port): The number cannot be stored exactly.',
      'Limits:BodyBytes is wrong (environment variable Limits__BodyBytes): Expected a number.',
      'Integrations:EventIngress:Sources is wrong (command line, --set Integrations:EventIngress:Sources): The number at "/0/Id" cannot be stored exactly. Use fewer digits, or put it in quotation marks.',
    ]);
  });

  it('should report invalid values with their sources', () => {
    const { messages, parsed } = resolveWithIngress({
      file: createConfigurationFile({ Server: { Port: 70_000, BasePath: 'no/slash' } }),
      environment: { Log__Level: 'loud', Runs__StuckAfter: 'five minutes', Approvals__SeparationOfDuties: 'maybe' },
    });

    expect(parsed.has('core')).to.equal(false);
    expect(parsed.has('event-ingress')).to.equal(true);
    expect(messages).to.have.members([
      'Server:Port is wrong (file /etc/countersign/config.yaml): Too big: expected number to be <=65535.',
      'Server:BasePath is wrong (file /etc/countersign/config.yaml): Expected a path such as /countersign, without a slash at the end.',
      'Log:Level is wrong (environment variable Log__Level): Invalid option: expected one of "debug"|"info"|"warn"|"error"|"silent".',
      'Runs:StuckAfter is wrong (environment variable Runs__StuckAfter): Expected an ISO 8601 duration such as PT5M or P1DT12H.',
      'Approvals:SeparationOfDuties is wrong (environment variable Approvals__SeparationOfDuties): Expected true or false.',
    ]);
  });

  it('should warn about environment variables whose section name is misspelt', () => {
    const { view } = resolveWithIngress({
      environment: { Intergrations__EventIngress__Enabled: 'true', NPM__THING: '1' },
    });

    expect(view.warnings).to.deep.equal([
      'The environment variable Intergrations__EventIngress__Enabled is ignored, because there is no section "Intergrations". Did you mean "Integrations"?',
    ]);
  });
});
