import t from 'tap'
import { namedTerms } from '../../../engine/derive/debt/member-name.ts'

const read = (member: string) => namedTerms(member, 2024)

t.test('a name says when debt falls due, as precisely as it does', async t => {
  const due = (member: string) => read(member).maturity
  t.equal(due('acme:SeniorNotesDueMarch152032Member'), '2032-03-15')
  t.equal(due('acme:SeniorNotesDueMarch2030Member'), '2030-03')
  t.equal(due('acme:NotesDue2027Member'), '2027')
  t.equal(due('acme:NotesTwoPointSevenPercentDueFebruaryTwelveTwentyTwentyFiveMember'), '2025-02-12')
  t.equal(due('acme:ThreePointNinetyPercentDueinTwoThousandTwentySixMember'), '2026')
  t.equal(due('acme:SeniorNotesDueDecember2420255.100SecondTrancheMember'), '2025-12-24')
  t.equal(due('acme:March2028NotesMember'), '2028-03')
  t.equal(
    due('acme:NotesDueMayNineteenTwentyThirtyFourMember'),
    '2034-05-19',
    'the nineteenth, of no year 1920',
  )
  t.equal(due('acme:NotesDueMayTwentyTwentyTwentyFiveMember'), '2025-05-20')
  t.equal(due('acme:NotesDueMayTwentyTwentyFiveMember'), '2025-05')
  t.equal(due('acme:SeniorNotesDue20311625PercentMember'), '2031', 'the coupon runs into the year')
  t.equal(due('acme:Notes4.852027Member'), '2027')
  t.equal(due('acme:NotesDueMay1920Member'), null, 'nothing that is owed fell due in the past')
  t.equal(due('acme:A2017SeniorUnsecuredNotesMember'), null, 'a past year without `due` is that of the issue')
})

t.test('abbreviations are written as usual', async t => {
  const words = (member: string) => read(member).words
  t.equal(words('acme:OtherU.S.dollarnotesMember'), 'Other U.S. Dollar Notes')
  t.equal(words('acme:UKExportFinanceProgramMember'), 'UK Export Finance Program')
  t.equal(words('acme:RcfCreditAgreementMember'), 'RCF Credit Agreement')
  t.equal(words('acme:LoanOfWilksBrothersLLCMember'), 'Loan of Wilks Brothers LLC')
  t.equal(words('acme:TERMLOANMember'), 'Term Loan', 'capitals throughout are no initials')
  t.equal(
    words('acme:CommercialpaperwithoriginalmaturitiesgreaterthanthreemonthsMember'),
    'Commercial Paper With Original Maturities Greater Than 3 Months',
  )
})

t.test('a name says a coupon where only one reading is usual', async t => {
  const coupon = (member: string) => read(member).coupon
  t.equal(coupon('acme:A2.125SeniorNotesDueSeptember152026Member'), 2.125)
  t.equal(coupon('acme:FivePointSevenFivePercentSeniorNotesMember'), 5.75)
  t.equal(coupon('acme:ThreePointZeroPercentNotesMember'), 3)
  t.equal(coupon('acme:A325SeniorNotesDue2032Member'), 3.25)
  t.equal(coupon('acme:A1375SeniorNotesDueMarch2031Member'), null, '1.375 or 13.75')
  t.equal(coupon('acme:A3MonthSOFRPlus1225TermLoanDue2026Member'), null, 'a margin is no coupon')
})

t.test('a name says the kind and rank of debt', async t => {
  const kind = (member: string) => {
    const { type, seniority, security, isGroup } = read(member)
    return [type, seniority, security, isGroup]
  }
  t.strictSame(kind('us-gaap:SeniorNotesMember'), ['senior_notes', 'senior_unsecured', null, false])
  t.strictSame(kind('acme:FirstLienNotesDue2029Member'), [
    'senior_secured_notes',
    'senior_secured',
    'first_lien',
    false,
  ])
  t.strictSame(kind('acme:SecondLienSubordinatedSecuredNotesDue2026Member'), [
    'subordinated_notes',
    'subordinated',
    'second_lien',
    false,
  ])
  t.strictSame(kind('acme:SeniorSecuredCreditFacilityTermLoanDue2026Member'), [
    'term_loan',
    'senior_secured',
    null,
    false,
  ])
  t.strictSame(kind('us-gaap:RevolvingCreditFacilityMember'), ['revolver', null, null, false])
  t.strictSame(kind('us-gaap:CommercialPaperMember'), ['commercial_paper', null, null, false])
  t.strictSame(kind('acme:NotesPayableDue2030Member'), ['notes', null, null, false], 'a rank is not guessed')
  t.strictSame(kind('acme:NotesDue20292060Member'), ['notes', null, null, true], 'two years are a group')
  t.strictSame(kind('acme:DueThrough2032Member'), [null, null, null, true])
  t.equal(read('acme:A1.80GBPNoteDueMay2029Member').denomination, 'GBP')
})
