import t from 'tap'
import { entityName } from '../../../engine/derive/debt/entity-name.ts'

t.test(
  'a company that a member names is written without its abbreviation, in the form of companies',
  async t => {
    const names: Readonly<Record<string, string>> = {
      'x:TycoInternationalFinanceS.A.TIFSAMember': 'Tyco International Finance S.A.',
      'x:HarborInternationalPlcHIIAndZedFireFinanceSCAZFSCAMember':
        'Harbor International plc and Zed Fire Finance SCA',
      'x:PascackRoadLlcMember': 'Pascack Road LLC',
      'x:FordCreditMember': 'Ford Credit',
      'x:SAPacificMember': 'SA Pacific',
      'x:ZedFinanceIIMember': 'Zed Finance II',
    }
    for (const [member, name] of Object.entries(names)) t.equal(entityName(member), name, member)
  },
)
