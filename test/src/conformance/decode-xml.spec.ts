import { expect } from 'chai';
import { decodeXml } from './decode-xml.js';

describe('decodeXml', () => {
  it('should decode a model in another encoding and declare it as UTF-8', () => {
    const model = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a name="Müller"/>', 'latin1');
    expect(decodeXml(model)).to.equal('<?xml version="1.0" encoding="UTF-8"?><a name="Müller"/>');
  });

  it('should not change a UTF-8 model', () => {
    for (const model of ['<a name="Müller"/>', '<?xml version="1.0" encoding="UTF-8"?><a name="Müller"/>'])
      expect(decodeXml(Buffer.from(model))).to.equal(model);
  });
});
