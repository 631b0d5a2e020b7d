import { describeMonkeyInElectron } from '../desktop/monkey.spec.support.js';

describeMonkeyInElectron(1);
