import type { Contract } from '../tenancy/contract.ts';
import { describedContract } from '../tenancy/described-contract.ts';
import { interfaceWords } from '../tenancy/misfit-words.ts';
import { interfaceDocument } from './interface-document.ts';

let made: Contract | undefined;

/** The interface document as a contract, which holds where a tenancy publishes none of its own. */
export function interfaceContract(): Contract {
  made ??= describedContract([interfaceDocument()], {
    names: ['the interface document'],
    fingerprint: 'interface',
    isStrict: false,
    examines: 'nothing',
    words: interfaceWords,
  });
  return made;
}
