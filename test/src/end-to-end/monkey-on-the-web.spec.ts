import { GATE_PLAN } from '../monkey/monkey.spec.support.js';
import { describeMonkeyInBrowser } from '../web/monkey.spec.support.js';

describeMonkeyInBrowser(GATE_PLAN);
