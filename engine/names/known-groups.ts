import { firstOf } from '../base/elements.ts'
import { partitionPoint } from '../base/partition-point.ts'
import { issuerName, namesAgree } from './issuer-name.ts'

/**
 * Parents of issuers whose names do not show them: utilities, railways, pipelines, finance companies, and acquired or
 * renamed issuers. Public facts from annual reports, by the parent's ticker and name. They are the last evidence
 * used, because ownership changes, and apply only where the lake has the parent under this ticker and a matching
 * name. A day is that on which the member was acquired, or became known under this parent: before it, it is none of the group.
 */
const GROUPS = `
AEE Ameren: Union Electric; Illinois Power
AEP American Electric Power: Appalachian Power; AEP Texas; AEP Transmission; Ohio Power; Public Service Co of Oklahoma; Southwestern Electric Power; Indiana Michigan Power; Kentucky Power; Columbus Southern Power
AES AES: Indianapolis Power & Light; Dayton Power & Light (2011-11-28); IPALCO Enterprises; DPL (2011-11-28)
APA APA: Apache
AMCR Amcor: Bemis (2019-06-11)
AMD Advanced Micro Devices: Xilinx (2022-02-14)
ADI Analog Devices: Maxim Integrated Products (2021-08-26); Linear Technology (2017-03-10)
AVGO Broadcom: VMware (2023-11-22); CA (2018-11-05)
BCE BCE: Bell Telephone Co of Canada; Bell Canada
BDX Becton Dickinson: C R Bard (2017-12-29)
BMY Bristol-Myers Squibb: Celgene (2019-11-20)
BRK-B Berkshire Hathaway: Burlington Northern Santa Fe (2010-02-12); BNSF Funding (2010-02-12); MidAmerican Energy; MidAmerican Funding; Nevada Power (2013-12-19); Sierra Pacific Power (2013-12-19); Eastern Energy Gas (2020-11-01); Eastern Gas Transmission (2020-11-01); Northern Natural Gas; Kern River Funding; Lubrizol (2011-09-16); Precision Castparts (2016-01-29); Alleghany (2022-10-19)
BTI British American Tobacco: Reynolds American (2017-07-25); RJ Reynolds Tobacco (2017-07-25); Lorillard (2017-07-25)
C Citigroup: Citibank; Citicorp
CB Chubb: ACE INA Holdings
CHTR Charter Communications: Time Warner Cable (2016-05-18); Time Warner Entertainment (2016-05-18); CCO Holdings
CI Cigna: Express Scripts (2018-12-20); Medco Health Solutions (2018-12-20); Evernorth Health
CMCSA Comcast: NBCUniversal Media (2011-01-28); NBCUniversal Enterprise (2011-01-28); Sky Group Finance (2018-10-09)
CMS CMS Energy: Consumers Energy
COF Capital One Financial: Discover Bank (2025-05-18)
COP ConocoPhillips: Burlington Resources; Marathon Oil (2024-11-22); Concho Resources (2021-01-15)
CP Canadian Pacific: Kansas City Southern (2023-04-14)
CTVA Corteva: E I du Pont de Nemours (2019-06-01); EIDP
CVE Cenovus Energy: Husky Energy (2021-01-01)
CVX Chevron: Noble Energy (2020-10-05); Texaco Capital; Unocal
D Dominion Energy: Virginia Electric & Power
DHR Danaher: DH Europe Finance
DIS Walt Disney: TWDC Enterprises 18; 21st Century Fox America (2019-03-20); Twenty-First Century Fox (2019-03-20)
DOC Healthpeak Properties: HCP; Physicians Realty (2024-03-01)
DOW Dow: Dow Chemical; Union Carbide; Rohm & Haas (2009-04-01)
DUK Duke Energy: Progress Energy (2012-07-02); Piedmont Natural Gas (2016-10-03)
ED Consolidated Edison: Orange & Rockland Utilities
EIX Edison International: Southern California Edison
ENB Enbridge: Spectra Energy (2017-02-27); Texas Eastern Transmission (2017-02-27)
EQR Equity Residential: ERP Operating
ES Eversource Energy: Connecticut Light & Power; NSTAR Electric (2012-04-10); Public Service Co of New Hampshire; Yankee Gas Services
ET Energy Transfer: Panhandle Eastern Pipe Line (2012-03-26); Sunoco Logistics Partners (2012-10-05); Regency Energy Partners (2015-04-30); Transwestern Pipeline; Enable Midstream Partners (2021-12-02)
ETN Eaton: Cooper Industries (2012-11-30); Cooper US (2012-11-30)
ETR Entergy: System Energy Resources
EVRG Evergy: Westar Energy (2018-06-04); Kansas City Power & Light (2018-06-04); Kansas Gas & Electric (2018-06-04)
EXC Exelon: Commonwealth Edison; PECO Energy; Baltimore Gas & Electric (2012-03-12); Potomac Electric Power (2016-03-23); Delmarva Power & Light (2016-03-23); Atlantic City Electric (2016-03-23); Pepco Holdings (2016-03-23)
FCNCA First Citizens BancShares: First-Citizens Bank; CIT Group (2022-01-03)
FE FirstEnergy: Ohio Edison; Cleveland Electric Illuminating; Toledo Edison; Jersey Central Power & Light; Metropolitan Edison; Pennsylvania Electric; Pennsylvania Power; Monongahela Power (2011-02-25); Potomac Edison (2011-02-25); American Transmission Systems; Mid-Atlantic Interstate Transmission; Trans-Allegheny Interstate Line (2011-02-25)
FIS Fidelity National Information Services: Worldpay (2019-07-31)
FISV Fiserv: First Data (2019-07-29)
GE General Electric: GE Capital International Funding; GE Capital Funding
GOLD Barrick: Barrick PD Australia Finance
GPN Global Payments: Total System Services (2019-09-18)
GSK GSK: GlaxoSmithKline Capital; GlaxoSmithKline Finance
IP International Paper: DS Smith (2025-01-31)
KEY KeyCorp: KeyBank
KHC Kraft Heinz: H J Heinz (2015-07-02); Kraft Foods Group (2015-07-02)
KMI Kinder Morgan: El Paso Natural Gas (2012-05-25); Tennessee Gas Pipeline (2012-05-25); Southern Natural Gas (2012-05-25); Colorado Interstate Gas (2012-05-25)
KRG Kite Realty: Retail Properties of America (2021-10-22)
LHX L3Harris: L3 Technologies (2019-06-29)
LIN Linde: Praxair (2018-10-31)
LNG Cheniere Energy: Sabine Pass Liquefaction; Cheniere Corpus Christi
LNT Alliant Energy: Interstate Power & Light; Wisconsin Power & Light
LUMN Lumen: Level 3 Financing (2017-11-01); Qwest (2011-04-01); Embarq (2009-07-01); CenturyLink
LVS Las Vegas Sands: Sands China
MDT Medtronic: Covidien (2015-01-26)
MET MetLife: Metropolitan Life Global Funding; Metropolitan Life Insurance
MPC Marathon Petroleum: Andeavor (2018-10-01)
MPLX MPLX: MarkWest Energy Partners (2015-12-04)
MRK Merck: Schering-Plough (2009-11-03)
MTB M&T Bank: Manufacturers & Traders Trust
NEE NextEra Energy: Florida Power & Light; Gulf Power (2019-01-01)
NEM Newmont: Newcrest Finance (2023-11-06); Goldcorp (2019-04-18)
NI NiSource: Northern Indiana Public Service
NNN NNN REIT: National Retail Properties; National Retail
NTR Nutrien: Agrium (2018-01-01); Potash Corp of Saskatchewan (2018-01-01)
NXPI NXP Semiconductors: Freescale Semiconductor (2015-12-07)
O Realty Income: Spirit Realty (2024-01-23); VEREIT Operating (2021-11-01)
OGE OGE Energy: Oklahoma Gas & Electric
OKE ONEOK: Magellan Midstream Partners (2023-09-25); EnLink Midstream (2024-10-15)
OXY Occidental Petroleum: Anadarko Petroleum (2019-08-08); Kerr-McGee (2019-08-08)
PBR Petrobras: Petrobras Global Finance; Petrobras International Finance
PCG PG&E: Pacific Gas & Electric
PEG Public Service Enterprise: Public Service Electric & Gas; PSEG Power
PFE Pfizer: Wyeth (2009-10-15); Pharmacia; Seagen (2023-12-14)
PLD Prologis: Duke Realty (2022-10-03); Liberty Property (2020-02-04)
PNW Pinnacle West Capital: Arizona Public Service
PPL PPL: Kentucky Utilities (2010-11-01); Louisville Gas & Electric (2010-11-01); LG&E & KU Energy (2010-11-01); Narragansett Electric (2022-05-25)
PRU Prudential Financial: Pricoa Global Funding
PSX Phillips 66: DCP Midstream (2022-08-17)
RSG Republic Services: Allied Waste North America (2008-12-05)
RTX RTX: Raytheon Technologies; United Technologies; Rockwell Collins (2018-11-26); Goodrich (2012-07-26)
SHEL Shell: BG Energy Capital (2016-02-15)
SLB Schlumberger: Cameron International (2016-04-01); Smith International (2010-08-27)
SNY Sanofi: Genzyme (2011-04-08)
SO Southern: Alabama Power; Georgia Power; Mississippi Power; Southern Power; Nicor Gas (2016-07-01); Northern Illinois Gas (2016-07-01); Atlanta Gas Light (2016-07-01)
SRE Sempra: San Diego Gas & Electric; Southern California Gas; Oncor Electric Delivery (2018-03-09)
STX Seagate Technology: Seagate HDD Cayman
SUZ Suzano: Suzano Austria; Suzano Netherlands; Fibria Overseas Finance
SW Smurfit Westrock: WRKCo (2024-07-05); MeadWestvaco (2024-07-05); WestRock (2024-07-05)
T AT&T: BellSouth; Pacific Bell Telephone
TEVA Teva Pharmaceutical: Teva Pharm Finance; Teva Pharmaceutical Finance
TMUS T-Mobile: Sprint Capital (2020-04-01); Sprint (2020-04-01); Sprint Spectrum (2020-04-01)
TRP TC Energy: TransCanada PipeLines; ANR Pipeline (2007-02-22); Columbia Pipelines Operating; Columbia Pipelines Holding; NOVA Gas Transmission
TSM Taiwan Semiconductor: TSMC Arizona; TSMC Global
USB US Bancorp: US Bank
VTRS Viatris: Mylan (2020-11-16); Utah Acquisition Sub (2020-11-16); Upjohn Finance (2020-11-16)
VZ Verizon: Cellco Partnership; GTE
WBD Warner Bros Discovery: WarnerMedia Holdings (2022-04-08); Discovery Communications; Magallanes (2022-04-08)
WDC Western Digital: SanDisk (2016-05-12)
WEC WEC Energy: Wisconsin Electric Power; Wisconsin Public Service; Peoples Gas Light & Coke (2015-06-29)
WMB Williams: Transcontinental Gas Pipe Line; Northwest Pipeline
XEL Xcel Energy: Public Service Co of Colorado; Public Service Colorado; Northern States Power; Southwestern Public Service
XOM Exxon Mobil: Pioneer Natural Resources (2024-05-03); XTO Energy (2010-06-25); Denbury (2023-11-02)
`

export interface KnownGroup {
  readonly ticker: string
  readonly parent: string
  /** A company of the group, in the words of the list. */
  readonly member: string
  /** The day on which it joined the group; null if it always belonged to it, or longer than any lake goes back. */
  readonly since: string | null
}

export const knownGroups: readonly KnownGroup[] = GROUPS.trim()
  .split('\n')
  .flatMap(line => {
    const at = line.indexOf(':')
    const blank = line.indexOf(' ')
    const [ticker, parent] = [line.slice(0, blank), line.slice(blank + 1, at)]
    return line
      .slice(at + 1)
      .split(';')
      .map(said => {
        const [, member = '', since = null] = /^(.+?)(?: \((\d{4}-\d\d-\d\d)\))?$/.exec(said.trim()) ?? []
        return { ticker, parent, member, since }
      })
  })

const joined = knownGroups.flatMap(({ since }) => since ?? []).sort()

/** How many members of the list had joined their groups by a day: on days of equal numbers the list says the same. */
export const joinedBy = (day: string): number => partitionPoint(joined, since => since <= day)

const byBase = new Map(knownGroups.map(group => [issuerName(group.member).base, group]))

/** Shorter names must match exactly: as a prefix they would match anything. */
const SHORTEST_BEGINNING = 12

/** The known group of a company as of a day; names may continue beyond the list's, or be cut. */
export function knownGroupOf(name: string, day: string): KnownGroup | null {
  const group = listed(name)
  return group === null || (group.since !== null && group.since > day) ? null : group
}

function listed(name: string): KnownGroup | null {
  const { base, cut } = issuerName(firstOf(name.split(' /')))
  const whole = byBase.get(base) ?? (cut?.base ? byBase.get(cut.base) : undefined)
  if (whole) return whole
  for (let length = base.length - 1; length >= SHORTEST_BEGINNING; length--) {
    const group = byBase.get(base.slice(0, length))
    if (group) return group
  }
  return null
}

/** Whether a company of the lake is the parent in the list, by one of its names. */
export const isParentOf = ({ parent }: KnownGroup, names: readonly string[]): boolean =>
  names.some(name => namesAgree(issuerName(name), issuerName(parent)))
