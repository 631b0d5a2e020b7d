import { GATE_PLAN } from '../monkey/monkey.spec.support.js';
import { describeMonkeyInElectron } from '../desktop/monkey.spec.support.js';

describeMonkeyInElectron(GATE_PLAN);
