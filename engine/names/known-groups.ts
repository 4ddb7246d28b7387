import { firstOf } from '../base/elements.ts'
import { issuerName, namesAgree } from './issuer-name.ts'

/**
 * Parents of issuers whose names do not show them: utilities, railways, pipelines, finance companies, and acquired or
 * renamed issuers. Public facts from annual reports, by the parent's ticker and name. They are the last evidence
 * used, because ownership changes, and apply only where the lake has the parent under this ticker and a matching
 * name.
 */
const GROUPS = `
AEE Ameren: Union Electric; Illinois Power
AEP American Electric Power: Appalachian Power; AEP Texas; AEP Transmission; Ohio Power; Public Service Co of Oklahoma; Southwestern Electric Power; Indiana Michigan Power; Kentucky Power; Columbus Southern Power
AES AES: Indianapolis Power & Light; Dayton Power & Light; IPALCO Enterprises; DPL
APA APA: Apache
AMCR Amcor: Bemis
AMD Advanced Micro Devices: Xilinx
ADI Analog Devices: Maxim Integrated Products; Linear Technology
AVGO Broadcom: VMware; CA
BCE BCE: Bell Telephone Co of Canada; Bell Canada
BDX Becton Dickinson: C R Bard
BMY Bristol-Myers Squibb: Celgene
BRK-B Berkshire Hathaway: Burlington Northern Santa Fe; BNSF Funding; MidAmerican Energy; MidAmerican Funding; Nevada Power; Sierra Pacific Power; Eastern Energy Gas; Eastern Gas Transmission; Northern Natural Gas; Kern River Funding; Lubrizol; Precision Castparts; Alleghany
BTI British American Tobacco: Reynolds American; RJ Reynolds Tobacco; Lorillard
C Citigroup: Citibank; Citicorp
CB Chubb: ACE INA Holdings
CHTR Charter Communications: Time Warner Cable; Time Warner Entertainment; CCO Holdings
CI Cigna: Express Scripts; Medco Health Solutions; Evernorth Health
CMCSA Comcast: NBCUniversal Media; NBCUniversal Enterprise; Sky Group Finance
CMS CMS Energy: Consumers Energy
COF Capital One Financial: Discover Bank
COP ConocoPhillips: Burlington Resources; Marathon Oil; Concho Resources
CP Canadian Pacific: Kansas City Southern
CTVA Corteva: E I du Pont de Nemours; EIDP
CVE Cenovus Energy: Husky Energy
CVX Chevron: Noble Energy; Texaco Capital; Unocal
D Dominion Energy: Virginia Electric & Power
DHR Danaher: DH Europe Finance
DIS Walt Disney: TWDC Enterprises 18; 21st Century Fox America; Twenty-First Century Fox
DOC Healthpeak Properties: HCP; Physicians Realty
DOW Dow: Dow Chemical; Union Carbide; Rohm & Haas
DUK Duke Energy: Progress Energy; Piedmont Natural Gas
ED Consolidated Edison: Orange & Rockland Utilities
EIX Edison International: Southern California Edison
ENB Enbridge: Spectra Energy; Texas Eastern Transmission
EQR Equity Residential: ERP Operating
ES Eversource Energy: Connecticut Light & Power; NSTAR Electric; Public Service Co of New Hampshire; Yankee Gas Services
ET Energy Transfer: Panhandle Eastern Pipe Line; Sunoco Logistics Partners; Regency Energy Partners; Transwestern Pipeline; Enable Midstream Partners
ETN Eaton: Cooper Industries; Cooper US
ETR Entergy: System Energy Resources
EVRG Evergy: Westar Energy; Kansas City Power & Light; Kansas Gas & Electric
EXC Exelon: Commonwealth Edison; PECO Energy; Baltimore Gas & Electric; Potomac Electric Power; Delmarva Power & Light; Atlantic City Electric; Pepco Holdings
FCNCA First Citizens BancShares: First-Citizens Bank; CIT Group
FE FirstEnergy: Ohio Edison; Cleveland Electric Illuminating; Toledo Edison; Jersey Central Power & Light; Metropolitan Edison; Pennsylvania Electric; Pennsylvania Power; Monongahela Power; Potomac Edison; American Transmission Systems; Mid-Atlantic Interstate Transmission; Trans-Allegheny Interstate Line
FIS Fidelity National Information Services: Worldpay
FISV Fiserv: First Data
GE General Electric: GE Capital International Funding; GE Capital Funding
GOLD Barrick: Barrick PD Australia Finance
GPN Global Payments: Total System Services
GSK GSK: GlaxoSmithKline Capital; GlaxoSmithKline Finance
IP International Paper: DS Smith
KEY KeyCorp: KeyBank
KHC Kraft Heinz: H J Heinz; Kraft Foods Group
KMI Kinder Morgan: El Paso Natural Gas; Tennessee Gas Pipeline; Southern Natural Gas; Colorado Interstate Gas
KRG Kite Realty: Retail Properties of America
LHX L3Harris: L3 Technologies
LIN Linde: Praxair
LNG Cheniere Energy: Sabine Pass Liquefaction; Cheniere Corpus Christi
LNT Alliant Energy: Interstate Power & Light; Wisconsin Power & Light
LUMN Lumen: Level 3 Financing; Qwest; Embarq; CenturyLink
LVS Las Vegas Sands: Sands China
MDT Medtronic: Covidien
MET MetLife: Metropolitan Life Global Funding; Metropolitan Life Insurance
MPC Marathon Petroleum: Andeavor
MPLX MPLX: MarkWest Energy Partners
MRK Merck: Schering-Plough
MTB M&T Bank: Manufacturers & Traders Trust
NEE NextEra Energy: Florida Power & Light; Gulf Power
NEM Newmont: Newcrest Finance; Goldcorp
NI NiSource: Northern Indiana Public Service
NNN NNN REIT: National Retail Properties; National Retail
NTR Nutrien: Agrium; Potash Corp of Saskatchewan
NXPI NXP Semiconductors: Freescale Semiconductor
O Realty Income: Spirit Realty; VEREIT Operating
OGE OGE Energy: Oklahoma Gas & Electric
OKE ONEOK: Magellan Midstream Partners; EnLink Midstream
OXY Occidental Petroleum: Anadarko Petroleum; Kerr-McGee
PBR Petrobras: Petrobras Global Finance; Petrobras International Finance
PCG PG&E: Pacific Gas & Electric
PEG Public Service Enterprise: Public Service Electric & Gas; PSEG Power
PFE Pfizer: Wyeth; Pharmacia; Seagen
PLD Prologis: Duke Realty; Liberty Property
PNW Pinnacle West Capital: Arizona Public Service
PPL PPL: Kentucky Utilities; Louisville Gas & Electric; LG&E & KU Energy; Narragansett Electric
PRU Prudential Financial: Pricoa Global Funding
PSX Phillips 66: DCP Midstream
RSG Republic Services: Allied Waste North America
RTX RTX: Raytheon Technologies; United Technologies; Rockwell Collins; Goodrich
SHEL Shell: BG Energy Capital
SLB Schlumberger: Cameron International; Smith International
SNY Sanofi: Genzyme
SO Southern: Alabama Power; Georgia Power; Mississippi Power; Southern Power; Nicor Gas; Northern Illinois Gas; Atlanta Gas Light
SRE Sempra: San Diego Gas & Electric; Southern California Gas; Oncor Electric Delivery
STX Seagate Technology: Seagate HDD Cayman
SUZ Suzano: Suzano Austria; Suzano Netherlands; Fibria Overseas Finance
SW Smurfit Westrock: WRKCo; MeadWestvaco; WestRock
T AT&T: BellSouth; Pacific Bell Telephone
TEVA Teva Pharmaceutical: Teva Pharm Finance; Teva Pharmaceutical Finance
TMUS T-Mobile: Sprint Capital; Sprint; Sprint Spectrum
TRP TC Energy: TransCanada PipeLines; ANR Pipeline; Columbia Pipelines Operating; Columbia Pipelines Holding; NOVA Gas Transmission
TSM Taiwan Semiconductor: TSMC Arizona; TSMC Global
USB US Bancorp: US Bank
VTRS Viatris: Mylan; Utah Acquisition Sub; Upjohn Finance
VZ Verizon: Cellco Partnership; GTE
WBD Warner Bros Discovery: WarnerMedia Holdings; Discovery Communications; Magallanes
WDC Western Digital: SanDisk
WEC WEC Energy: Wisconsin Electric Power; Wisconsin Public Service; Peoples Gas Light & Coke
WMB Williams: Transcontinental Gas Pipe Line; Northwest Pipeline
XEL Xcel Energy: Public Service Co of Colorado; Public Service Colorado; Northern States Power; Southwestern Public Service
XOM Exxon Mobil: Pioneer Natural Resources; XTO Energy; Denbury
`

export interface KnownGroup {
  readonly ticker: string
  readonly parent: string
  /** A company of the group, in the words of the list. */
  readonly member: string
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
      .map(member => ({ ticker, parent, member: member.trim() }))
  })

const byBase = new Map(knownGroups.map(group => [issuerName(group.member).base, group]))

/** Shorter names must match exactly: as a prefix they would match anything. */
const SHORTEST_BEGINNING = 12

/** The known group of a company; names may continue beyond the list's, or be cut. */
export function knownGroupOf(name: string): KnownGroup | null {
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
