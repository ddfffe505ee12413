var e=null;function t(){let e=new Map,t=[],n=``;for(let r of`0	Na3	A00	0	Sodium Attack
1	e5 Nc4 Nc6 e4 f5	A00	13	: Durkin Gambit
2	d3 Bxa3 bxa3 d5 e3 c5 Rb1	A00	15	Celadon Variation
1	g6 g4	A00	16	henoboskion Variation
0	Nc3	A00	0	Van Geet Opening
1	Nf6 g4	A00	16	: Tübingen Gambit
1	b5	A00	18	Laroche Gambit
1	c5 Nf3 Nc6 d4 cxd4 Nxd4	A00	18	Sicilian Two Knights
2	Rb1	A00	18	Twyble Attack
2	b4	A00	18	Düsseldorf Gambit
2	d4 cxd4 Qxd4 Nc6 Qh4	A00	18	Novosibirsk Variation
1	d5 d3 Nf6 g3	A00	18	Venezolana Variation
2	e3 e5 d4 Bb4	A00	18	Sleipnir Gambit
2	e4 dxe4 Bc4	A00	18	Hector Gambit
4	d3	A00	18	Dunst-Perrenet Gambit
4	f3	A00	19	ougherty Gambit
2	f4 d4 Ne4 c5	A00	18	Melleby Gambit
5	e5	A00	18	Pfeiffer Gambit
6	Nf3	A00	33	, Sleipnir Countergambit
3	e5	A00	18	Damhaug Gambit
3	g5	A00	18	Warsteiner Gambit
1	d6 f4 e5 fxe5 Nc6	A00	18	Hergert Gambit
1	e5	A00	18	Reversed Nimzowitsch
2	Nf3 Bc5	A00	18	Billockus-Johansen Gambit
3	Nc6 d4	A00	18	Napoleon Attack
2	b3 d5 e4 dxe4 d3	A00	18	Gladbacher Gambit
2	d4 exd4 Qxd4 Nc6 Qa4	A00	18	Reversed Scandinavian
2	e3 d5 Qh5 Be6	A00	18	Hulsemann Gambit
5	Nf6	A00	18	Liebig Gambit
2	f4 exf4 e4	A00	18	Nowokunski Gambit
1	f5 e4 fxe4 d3	A00	18	Kluever Gambit
1	g6 h4	A00	18	Myers Attack
0	Nf3	A04	0	Zukertort Opening
1	Na6 e4 Nh6	A04	17	: Drunken Cavalry Variation
3	c5	A04	10	Defense: Sicilian Knight Variation
1	Nc6	A04	10	Opening: Black Mustang Defense
1	Nf6	A05	17	
2	Nc3 Nc6	A05	17	
2	a4 g6 b4	A05	17	: Myers Polish Attack
2	b3	A05	19	Nimzo-Larsen Variation
2	b4 g6 Bb2	A05	0	Polish Opening: Zukertort System
2	c4 c6 b3 d5 Bb2 Bf5	A12	0	Réti Opening: Anglo-Slav Variation, New York System
8	d3	A12	51	
8	e3	A12	51	
2	e3	A05	0	Zukertort Opening: Quiet System
2	e4	A05	19	Lemberger Gambit
2	g3 b5	A05	0	King's Indian Attack: Spassky Variation
3	d5	A05	20	
4	Bg2 c6 O-O Bf5	A07	20	, with Bf5
8	d3 h6	A07	30	
7	Bg4	A07	20	: Yugoslav Variation
5	e6	A07	20	, with e6
6	O-O Be7	A07	29	
3	g6	A05	20	: Symmetrical Defense
4	Bg2 Bg7 O-O O-O d3 d5	A05	22	Wahls Defense
4	b4	A05	22	Smyslov Variation
1	Nh6 d4 g6	A04	0	Zukertort Defense: Kingside Variation
1	a5	A04	10	Opening: Ware Defense
1	a6	A04	19	St. George Defense
1	b5	A04	19	Polish Defense
1	b6	A04	19	Queenside Fianchetto Variation
1	c5	A04	19	Sicilian Invitation
2	c4 g6 d4 Bg7 e4 Qa5+	A04	0	Modern Defense: Semi-Averbakh Variation, Pterodactyl Variation
8	Nc3 d6	A42	0	Pterodactyl Defense
7	Qb6	A04	0	Modern Defense: Semi-Averbakh Variation, Polish Variation
2	d4 cxd4 e3	A04	0	Zukertort Opening: Speelsmet Gambit
2	e3 g6 d4 Bg7 dxc5 Qa5+	A04	0	Colle System: Rhamphorhynchus Variation
1	c6	A04	0	Zukertort Opening: Slav Invitation
1	d5	A06	17	
2	Nc3	A06	17	: Reversed Mexican Defense
2	Rg1	A06	19	Ampel Variation
2	a4	A06	19	The Potato
2	b3	A06	0	Nimzo-Larsen Attack: Classical Variation
3	Nf6 Bb2 c5 e4	A06	21	Norfolk Gambit
5	g6 c4 c6	A12	0	Réti Opening: Anglo-Slav Variation, Bled Variation
3	c5 c4 dxc4 Nc3	A06	0	Zukertort Opening: Regina-Nu Gambit
4	e4	A06	0	Nimzo-Larsen Attack: Norfolk Gambit
2	c4	A09	0	Réti Opening
3	b5	A09	12	: Zilbermints Gambit
3	c6 b3	A12	14	Anglo-Slav Variation, Bogoljubow Variation
5	Bf5	A12	56	
6	Bb2	A12	56	
5	Bg4	A12	56	
3	d4	A09	15	dvance Variation
4	Rg1	A09	14	Penguin Variation
4	b4 c5	A09	14	Advance Variation, Michel Gambit
5	g5	A09	33	Navara Gambit
4	e3 c5 b4	A09	14	Reversed Blumenfeld Gambit
3	dxc4	A09	15	éti Accepted
4	e3 Be6	A09	19	Gambit, Keres Variation
2	d3	A06	0	Zukertort Opening: Old Indian Attack
2	d4 Bg4	D02	0	Queen's Pawn Game: Anti-Torre
2	e3 c5 c4 dxc4 b3	A06	0	Zukertort Opening: Pachman Gambit
2	g3	A07	0	King's Indian Attack
3	Bg4	A07	20	: Keres Variation
4	Bg2 Nd7	A07	37	
3	c5	A07	22	Sicilian Variation
4	Bg2	A08	40	
5	Nc6	A08	22	French Variation
6	d4	A08	0	Zukertort Opening: Reversed Grünfeld
7	Nf6	A08	36	
8	O-O	A08	36	
7	e6 O-O	A08	36	
5	Nf6 O-O e6 d3	A08	0	King's Indian Attack: Sicilian Variation
3	c6 Bg2 Bg4 O-O Nd7	A07	22	Keres Variation
5	Nf6 O-O Bg4 d4 e6	D02	0	Queen's Pawn Game: Symmetrical Variation, Pseudo-Catalan
3	e5	A07	0	King's Indian Attack: Omega-Delta Gambit
3	g6	A07	22	Double Fianchetto
4	Bg2 Bg7 O-O e5 d3 Ne7	A07	22	Pachman System
1	d6	A04	0	Zukertort Opening: Pirc Invitation
2	d4 e5	A04	19	Vos Gambit
2	e4 Bg4	A04	19	Wade Defense
1	e5	A04	19	Ross Gambit
2	Nxe5 Nc6 Nxc6 dxc6	A04	19	The Walrus
1	e6	A04	19	Queen's Gambit Invitation
2	c4 a6 Nc3 c5 g3 b5	A04	19	Shabalov Gambit
1	f5	A04	19	Dutch Variation
2	d3 Nf6 e4	A04	19	Lisitsyn Gambit Deferred
2	e4	A04	34	
1	f6	A04	19	Arctic Defense
2	e4 Nh6 d4 Nf7	A04	33	, Drunken Knight Variation
1	g5	A04	19	Herrstrom Gambit
1	g6	A04	19	Kingside Fianchetto
2	d4 Bg7 e4 d6 c4 c5 dxc5 Qa5+	A04	0	Modern Defense: Semi-Averbakh Variation, Pterodactyl Variation Accepted
1	h6	A04	0	Zukertort Opening: Basman Defense
0	Nh3	A00	0	Amar Opening
1	d5 g3 e5 f4	A00	12	: Paris Gambit
0	a3	A00	1	nderssen's Opening
1	a5 b4	A00	19	: Polish Gambit
1	e5 Nc3	A00	0	Van Geet Opening: Battambang Variation
0	a4	A00	0	Ware Opening
1	a5	A00	12	: Symmetric Variation
1	b5 axb5 Bb7	A00	14	Wing Gambit
1	b6 d4 d5 Nc3 Nd7	A00	14	Cologne Gambit
1	e5 Ra3	A00	14	Meadow Hay Trap
2	a5 d5 e3 f5 a6	A00	14	Ware Gambit
2	h4	A00	14	Crab Variation
0	b3	A01	0	Nimzo-Larsen Attack
1	Nf6	A01	19	: Indian Variation
2	Bb2 g6 g4	A01	21	Spike Variation
1	b5	A01	21	Polish Variation
1	b6	A01	21	Symmetrical Variation
1	c5	A01	21	English Variation
1	d5	A01	21	Classical Variation
2	Ba3	A01	21	Graz Attack
1	e5	A01	21	Modern Variation
2	Bb2 Nc6	A01	37	
4	c4 Nf6	A01	37	
4	e3	A01	37	
4	f4	A01	21	Pachman Gambit
1	f5	A01	21	Dutch Variation
2	Bb2 e6 e4	A01	21	Ringelbach Gambit
0	b4	A00	0	Polish Opening
1	Nc6	A00	14	: Grigorian Variation
1	Nf6 Bb2 g6	A00	16	King's Indian Variation
4	e4	A00	39	, Schiffler Attack
1	Nh6	A00	17	arniewski Variation
1	b5	A00	16	Symmetrical Variation
1	c5	A00	16	Birmingham Gambit
1	c6	A00	16	Outflank Variation
2	Bb2 a5 b5	A00	34	, Schuehler Gambit
5	cxb5 e4	A00	16	Schuehler Gambit
1	d5	A00	14	, with d5
2	Bb2 Bf5	A00	14	: Baltic Defense
3	Nf6 Nf3	A00	14	, with d5
3	Qd6	A00	14	: German Defense
3	c6 a4	A00	16	Myers Variation
2	Nf3	A06	0	Zukertort Opening: Santasiere's Folly
1	e5 Bb2 c5	A00	0	Polish Opening: Wolferts Gambit
3	d6	A00	16	Czech Defense
3	f6 b5	A00	16	Bugayev Advance Variation
4	e4	A00	16	Tartakower Gambit
2	a3	A00	16	Bugayev Attack
1	e6 Bb2 Nf6 b5 a6	A00	16	Queenside Defense
5	b6	A00	21	's Indian Variation
5	d5 e3	A00	16	Schiffler-Sokolsky Variation
1	f5	A00	16	Dutch Defense
0	c3	A00	0	Saragossa Opening
0	c4	A10	0	English Opening
1	Nc6	A10	15	: Anglo-Lithuanian Variation
1	Nf6	A15	23	Indian Defense
2	Nc3	A16	37	, Queen's Knight Variation
3	c5 g3	A34	17	Symmetrical Variation, Fianchetto Variation
5	d5 cxd5 Nxd5 Bg2 Nc7	A34	40	Rubinstein Variation
3	d5	A16	17	Anglo-Grünfeld Defense
4	cxd5 Nxd5 Nf3	A16	23	Indian Defense, Anglo-Grünfeld Variation
7	c5 e3 e6	A17	37	
7	g6	A16	37	, Anglo-Grünfeld Variation
6	g3 g6 Bg2 Nb6	A16	63	
9	Nxc3	A16	63	
3	e6	A17	39	Hedgehog System
4	Nf3 Bb4	A17	39	Nimzo-English
3	g6 Nf3 Bg7 e4	A15	39	Anti-Anti-Grünfeld
2	Nf3	A15	39	King's Knight Variation
3	b6	A15	39	Queen's Indian Formation
3	c5 Nc3 Nc6 g3 g6 Bg2 Bg7	A38	17	Symmetrical Variation, Full Symmetry Line
3	c6 b3 d5 Bb2 Bg4	A12	0	Réti Opening: Anglo-Slav Variation, Capablanca Variation
8	d3	A12	56	
8	e3	A12	56	
3	d5	A15	0	English Opening: Anglo-Indian Defense, Scandinavian Defense
4	cxd5 Nxd5	A15	59	, Exchange Variation
3	d6	A15	39	Old Indian Formation
3	e6 g3 a6 Bg2 b5	A13	17	Romanishin Gambit
3	g6	A15	17	Anglo-Indian Defense, King's Indian Formation
4	b4	A15	9	rangutan
4	g3 b6 Bg2 Bb7	A15	9	pening: Anglo-Indian Defense, King's Indian Formation, Double Fianchetto
5	c6	A15	39	Slav Formation
5	d5	A15	39	Grünfeld Formation
2	b4	A15	9	rangutan
2	d4 c5 Nf3	A31	9	pening: Symmetrical Variation, Anti-Benoni Variation
2	e4	A10	17	Achilles-Omega Gambit
2	g3 c6 Nf3 d5 b3	A12	0	Réti Opening: Anglo-Slav Variation
7	Bf5	A12	34	, London Defensive System
8	Bb2	A12	59	
8	Bg2	A12	59	
7	Bg4	A12	36	Torre System
8	Bb2	A12	48	
8	Bg2	A12	48	
7	dxc4	A12	36	with dxc4
1	b5	A10	0	English Opening: Jaenisch Gambit
1	c5	A30	17	Symmetrical Variation
2	Nc3	A34	38	, Normal Variation
3	Nc6	A35	40	Two Knights Variation
4	g3	A36	51	, Fianchetto Variation
5	g6 Bg2 Bg7 Nf3	A37	41	hree Knights, Fianchetto Variation
9	e5	A37	40	Botvinnik System Reversed, with Nf3
8	e3 e5	A36	72	e3
3	Nf6 Nf3	A34	40	Three Knights Variation
5	e5	A35	38	
2	Nf3	A30	38	
3	Nf6 Nc3 Nc6	A35	38	, Four Knights Variation
6	g3 d5 d4 cxd4	A34	38	
9	e6	D41	0	Queen's Gambit Declined: Semi-Tarrasch Defense
7	e6	A35	0	English Opening: Symmetrical Variation, Four Knights Variation, Keres-Parma System
4	b4	A30	40	Napolitano Gambit
2	b4	A30	17	Wing Gambit
2	e4 Nc6 Nc3 g6 g3 Bg7 Bg2	A36	17	Symmetrical Variation, Botvinnik System
2	g3 g6 Bg2 Bg7 Nc3 Nc6	A36	40	Ultra-Symmetrical Variation
1	c6	A11	17	Caro-Kann Defensive System
2	Nf3 d5 e3	A11	0	Réti Opening: Anglo-Slav Variation, Gurevich System
5	Nf6 Nc3 Nbd7 Qc2	A11	51	
8	b3 e5	A11	51	
7	e6 b3 Bd6	A11	51	
6	Qc2	A11	51	
4	g3 Nf6 Bg2	A11	36	with g3
7	Bf5	A11	43	
7	dxc4	A11	43	
6	b3 g6	A11	43	
1	d5	A10	0	English Opening: Anglo-Scandinavian Defense
2	cxd5 Nf6	A10	43	, Schulz Gambit
3	Qxd5 Nc3 Qa5	A10	45	Malvinas Variation
3	e6	A10	45	Löhn Gambit
1	e5	A20	17	King's English Variation
2	Nc3	A21	41	, Reversed Sicilian
3	Bb4	A21	43	Kramnik-Shirov Counterattack
3	Nc6	A25	43	Reversed Closed Sicilian
4	Nf3	A27	43	Three Knights System
4	g3 d6 Bg2 Be6	A21	44	roger Defense
5	g6 Bg2 Bg7	A25	44	aimanov Variation
8	Rb1	A25	43	Hungarian Attack
8	d3	A25	43	Closed System
9	d6	A26	56	, Full Symmetry
6	Rb1 Nh6 Bg2 Bg7	A25	17	Closed, Taimanov Variation
3	Nf6	A22	17	King's English Variation, Two Knights Variation
4	Nf3 Nc6	A28	43	Four Knights Variation
6	a3	A28	65	, Korchnoi Line
6	d3	A28	67	Flexible Line
6	d4 e4	A28	67	Bradley Beach Variation
6	e3	A28	67	Quiet Line
7	Bb4 Qc2 Bxc3	A28	77	
6	e4	A28	17	Four Knights System, Nimzowitsch Variation
6	g3	A29	17	King's English Variation, Four Knights Variation, Fianchetto Line
7	Bb4	A29	82	
5	e4 Ng5 Ng4	A22	31	, Erbenheimer Gambit
7	b5	A22	31	 Variation, Bellon Gambit
7	c6	A22	43	Adhiban Gambit
4	f4	A22	31	, Mazedonisch
4	g3	A22	17	Carls-Bremen System
5	Bb4	A22	17	King's English Variation, Two Knights Variation, Smyslov System
5	Bc5 Bg2 c6	A23	66	Keres Variation
5	c6	A23	81	
5	d5	A22	66	Reversed Dragon
5	g6	A24	66	Fianchetto Line
3	d6 Nf3	A21	41	
5	Bg4	A21	41	, Smyslov Defense
4	g3 c6	A21	43	Keres Defense
2	Nf3	A20	43	Nimzowitsch Variation
3	e4	A20	54	-Flohr Variation
2	e3 Nf6 f4 exf4 Nf3	A20	43	Kahiko-Hula Gambit
2	g3 Nf6 Bg2 Nc6 Nc3 Bb4 Nd5	A25	43	Reversed Closed Sicilian
5	d5 cxd5 Nxd5 Nf3 Nc6	A29	43	Four Knights Variation, Fianchetto Line
3	h5	A20	17	Drill Variation
1	e6	A13	17	Agincourt Defense
2	Nc3 Nf6 Nf3 Bb4 g4	A17	18	nglo-Indian Defense, Zvjaginsev-Krasenkow Attack
5	b6	A17	39	Queen's Indian Formation
6	e4 Bb7 Bd3	A17	54	Variation
4	e4	A18	17	Mikenas-Carls Variation
5	Nc6	A18	40	
5	c5	A19	30	, Sicilian
6	e5 Ng8	A19	17	Anglo-Indian Defense, Flohr-Mikenas-Carls Variation, Nei Gambit
5	d5 e5	A18	17	Mikenas-Carls Variation
2	Nf3	A13	17	Agincourt Defense
3	Nf6 Nc3 c5 d4 cxd4 Nxd4 Nc6	A33	17	Symmetrical Variation, Anti-Benoni Variation, Spielmann Defense
4	b3 d5 Bb2 c5 e3	A13	17	Agincourt Defense, Wimpy System
4	g3 a6	A15	18	nglo-Indian Defense, Romanishin Variation
5	b6 Bg2 Bb7	A15	39	Queen's Indian Formation
5	d5 Bg2 c6	A13	18	gincourt Defense, Catalan Defense, Semi-Slav Defense
7	dxc4	A13	51	 Accepted
3	d5	A13	34	
4	b3 Nf6 Bb2 Be7 e3 O-O	A13	34	
4	g3 Nf6	A13	17	Neo-Catalan
6	Bg2 Bd6	A13	17	Agincourt Defense, Bogoljubow Defense
7	Be7	A13	17	Neo-Catalan Declined
8	O-O	A14	17	Agincourt Defense, Neo-Catalan Declined
8	b3	A14	56	, Early b3
9	b6	A14	66	
9	c5	A14	66	
7	b6 O-O	A07	0	King's Indian Attack: Yugoslav Variation
5	b6 Bg2 Bb7 O-O	A13	0	English Opening: Agincourt Defense, Catalan Defense
5	c5	A13	51	
5	c6	A13	36	Kurajica Defense
2	d4 b6 Nc3 Bb7 e4 f5 d5	A40	8	Defense: Hartlaub Gambit Declined
8	exf5 Nf6	A40	33	Accepted
3	c5 Nf3 cxd4 Nxd4 Nf6	A32	8	Opening: Symmetrical Variation, Anti-Benoni Variation, Spielmann Defense
1	f5	A10	17	Anglo-Dutch Defense
2	Nc3 Nf6 e4	A10	29	Variation, Ferenc Gambit
5	fxe4 g4	A10	17	Porcupine Variation
2	Nf3 d6 e4	A10	17	Anglo-Dutch Variation, Chabanon Gambit
2	e4	A10	29	Defense, Hickmann Gambit
2	g4	A10	17	Wade Gambit
1	g5	A10	17	Myers Defense
2	d4 Bg7	A10	23	Gambit
3	e5	A10	17	Zilbermints Gambit
1	g6	A10	17	Great Snake Variation
2	e4 e5	A10	17	Adorjan Defense
0	d3	A00	0	Mieses Opening
1	c5 Nc3 Nc6 g3	A00	14	: Venezolana Variation
1	e5	A00	16	Reversed Rat
2	Nd2	A00	0	Valencia Opening
1	g6 g4	A00	0	Mieses Opening: Myers Spike Attack
0	d4	A40	0	Queen's Pawn Game
1	Na6	A40	0	Australian Defense
1	Nc6	A40	0	Mikenas Defense
2	c4 e5 d5 Nce7	A40	15	: Lithuanian Variation
5	Nd4	A40	17	Cannstatter Variation
4	dxe5 Nxe5 Nc3 Nxc4	A40	17	Pozarek Gambit
2	d5 Nb8	A40	1	ontevideo Defense
4	e4 Nf6 e5 Ng8	A40	0	Zaire Defense
1	Nf6	A45	0	Indian Defense
2	Bf4	A45	14	: Accelerated London System
2	Bg5	A45	0	Trompowsky Attack
3	Ne4 Bf4 g5	A45	17	: Borg Variation
4	Bh4	A45	19	Edge Variation
4	h4	A45	19	Raptor Variation
5	Nxg5 hxg5 e5	A45	35	, Hergert Gambit
3	c5 d5 Qb6 Nc3	A45	19	Poisoned Pawn Variation
3	e6	A45	19	Classical Defense
4	e4	A45	36	, Big Center Variation
2	Nc3 c5	A45	0	Indian Defense: Reversed Chigorin Defense
3	d5	A45	0	Queen's Pawn Game: Chigorin Variation
4	Bg5	D01	0	Richter-Veresov Attack
5	Bf5	D01	22	
6	Bxf6	D01	22	: Veresov Variation
6	f3	D01	24	Richter Variation
5	Nbd7 Nf3	D01	24	Two Knights System
7	g6	D01	42	, Grünfeld Defense
5	Ne4	D01	24	Boyce Defense
4	Qd3	A45	0	Amazon Attack: Siberian Attack
4	e4	D00	0	Queen's Pawn Game: Hübsch Gambit
3	e5	A45	0	Indian Defense: Maddigan Gambit
2	Nd2 e5	A45	16	Lazard Gambit
2	Nf3	A46	16	Knights Variation
3	Ne4	A46	0	Döry Defense
3	a6	A46	0	Indian Defense: Knights Variation, Alburt-Miles Variation
3	b5	A46	16	Polish Variation
3	b6	A47	0	Pseudo Queen's Indian Defense
4	c3 e5	A47	0	Indian Defense: Schnepper Gambit
4	g3 Bb7 Bg2 c5	A47	0	Marienbad System
3	c5	A46	0	Indian Defense: Spielmann-Indian
4	d5 b5	A43	16	Pseudo-Benko
5	c4	A43	0	Benoni Defense: Hawk Variation
3	c6	A46	0	Indian Defense: Czech-Indian
3	d5 Bf4 c5 e3 Qb6 Nc3	D02	0	London System: Poisoned Pawn Variation
3	d6	A46	0	Indian Defense: Wade-Tartakower Defense
3	e6 Bf4	A46	16	London System
4	Bg5	A46	0	Torre Attack: Classical Defense
5	c5 e3 b6 d5	A46	31	, Petrosian Gambit
6	e4	A46	14	Wagner Gambit
5	d5 e3 c5 c3 Qb6	A46	0	Queen's Pawn Game: Torre Attack, Breyer Variation
5	h6	A46	0	Torre Attack: Classical Defense, Nimzowitsch Variation
4	Nc3 d5 Bg5	A46	0	Queen's Pawn Game: Veresov Attack, Classical Defense
4	e3	A46	0	Yusupov-Rubinstein System
5	c5 Bd3 d5 b3	D05	0	Rubinstein Opening
8	c3	D05	0	Queen's Pawn Game: Colle System, Traditional Colle
3	g6	A48	0	East Indian Defense
4	Bf4	A48	0	London System
5	Bg7 e3	A48	13	
7	d6	A48	13	
8	Bd3	A48	13	, with Bd3
8	Be2	A48	21	e2
9	O-O	A48	23	
4	Bg5	A48	0	Torre Attack: Fianchetto Defense
5	Bg7 Nbd2 c5	A48	32	, Euwe Variation
7	d5 e3 O-O	A48	0	Queen's Pawn Game: Torre Attack, Grünfeld Variation, Main Line
4	Nc3 d5 Bf4	A48	19	Barry Attack
7	Bg7	A48	31	
8	Qd2	A48	31	, Tarzan Attack
4	c4	E60	0	King's Indian Defense: Normal Variation, King's Knight Variation
4	e3 Bg7 Bd3 d6	A48	0	Indian Defense: Colle System, King's Indian Variation
4	g3	A49	16	Przepiorka Variation
2	b3	A45	0	Basque Opening
2	c4	A50	0	Indian Defense: Normal Variation
3	Nc6	A50	0	Mexican Defense
4	d5 Ne5 f4	A50	15	: Horsefly Gambit
3	b5	A50	0	Indian Defense: Pyrenees Gambit
3	b6	A50	0	Queen's Indian Accelerated
3	c5	A56	0	Benoni Defense
4	d5 Ne4	A56	0	Vulture Defense
5	b5	A57	0	Benko Gambit
6	Bg5	A57	12	 Declined: Bishop Attack
6	Nd2	A57	23	Quiet Line
6	Nf3	A57	23	Main Line
6	a4	A57	23	Sosonko Variation
6	cxb5 a6	A57	13	Accepted
8	Nc3	A57	12	: Zaitsev System
8	b6	A57	12	 Accepted: Pawn Return Variation
8	bxa6	A58	23	Fully Accepted Variation
8	e3	A57	23	Modern Variation
8	f3	A57	23	Dlugy Variation
6	e4	A57	13	Declined: Hjørring Countergambit
6	f3	A57	23	Pseudo-Sämisch
6	g4	A57	12	: Mutkin Countergambit
5	d6	A56	3	oni Defense: Hromádka System
5	e5	A56	16	Czech Benoni Defense
6	Nc3 d6 e4 g6	A56	16	King's Indian System
5	e6	A60	16	Modern Variation
6	Nc3 exd5 cxd5 Bd6	A60	32	, Snake Variation
4	dxc5 e6	A56	16	Weenink Variation
3	c6	A50	0	Slav Indian
3	d6	A53	0	Old Indian Defense
4	Nc3 Bf5	A53	18	: Janowski Variation
6	e4	A53	38	, Grinberg Gambit
6	f3	A53	40	Main Line
6	g3	A53	40	Fianchetto Variation
5	Nbd7 e4 e5 Nf3	A55	20	Normal Variation
5	c6	A53	20	Czech Variation, with Nc3
5	e5	A54	20	Ukrainian Variation
6	Nf3	A54	20	Two Knights Variation
6	e3 Nbd7 Bd3	A54	20	Duz-Khotimirsky Variation
4	Nf3 Bg4	A54	20	Tartakower-Indian
5	c6	A53	20	Czech Variation, with Nf3
4	g4	A53	20	Aged Gibbon Gambit
3	e5	A51	0	Indian Defense: Budapest Gambit
4	dxe5	A51	31	 Accepted
5	Ne4	A51	40	, Fajarowicz Defense
6	Qc2	A51	60	, Steiner Variation
6	a3	A51	62	Bonsdorf Variation
5	Ng4	A52	42	Main Line
6	Bf4	A52	51	, Rubinstein Variation
6	Nf3	A52	53	Adler Variation
6	e4	A52	54	lekhine Variation
7	Nxe5	A52	71	, Abonyi Variation
7	d6	A52	73	Tartakower Defense
3	e6 Bg5	E00	16	Seirawan Attack
4	Nc3 Bb4	E20	0	Nimzo-Indian Defense
6	Bg5	E30	20	: Leningrad Variation
6	Nf3	E21	22	Three Knights Variation
7	c5 d5	E21	45	, Korchnoi Variation
9	Ne4	E21	47	Euwe Variation
6	Qb3	E22	22	Spielmann Variation
7	c5 dxc5 Nc6	E23	41	, Romanovsky Gambit
6	Qc2	E32	22	Classical Variation
7	Nc6	E33	41	, Zurich Variation
8	Nf3 d6	E33	43	Milner-Barry Variation
7	c5	E38	43	Berlin Variation
8	dxc5 Bxc3+	E38	59	, Steiner Variation
9	O-O	E39	61	Pirc Variation
7	d5	E34	43	Noa Variation
8	a3	E36	56	
8	cxd5 exd5	E35	56	
6	Qd3	E20	22	Mikenas Attack
6	a3	E24	22	Sämisch Variation
7	Bxc3+ bxc3 O-O	E27	39	
6	e3	E40	22	Rubinstein System
7	Nc6	E40	39	, Taimanov Variation
7	O-O	E46	22	Normal Variation
8	Bd3	E47	38	
9	d5	E48	38	, Classical Defense
8	Ne2	E46	22	Reshevsky Variation
8	Nf3	E50	20	
9	d5	E51	20	: Normal Variation, Ragozin Variation
7	b6	E43	22	St. Petersburg Variation
8	Ne2	E44	46	
9	Ba6	E45	46	, Fischer Variation
9	Ne4	E44	48	American Variation
7	c5	E41	22	Rubinstein System
8	Ne2	E42	39	, Rubinstein Variation
6	e4	E20	22	Dilworth Gambit
6	f3	E20	22	Kmoch Variation
6	g3	E20	22	Romanishin Variation
5	d5 Bg5 Be7 e3 Ne4	D53	0	Queen's Gambit Declined: Lasker Defense
6	cxd5	D35	25	Exchange Variation
7	exd5 Bg5	D35	43	, Positional Variation
9	c6	D35	65	
4	Nf3	E10	0	Indian Defense: Anti-Nimzo-Indian
5	Bb4+	E11	0	Bogo-Indian Defense
6	Bd2 Be7	E11	19	: Retreat Variation
7	Bxd2+	E11	21	Exchange Variation
7	Nc6	E11	21	Haiti Variation
7	Qe7	E11	21	Nimzowitsch Variation
7	a5	E11	21	Wade-Smyslov Variation
7	c5	E11	21	Vitolins Variation
6	Nbd2	E11	21	Grünfeld Variation
7	b6 e3 Bb7	E14	0	Queen's Indian Defense, with e3, Bb4+ Line
6	Nc3 c5 d5 b5	E21	0	Nimzo-Indian Defense: Three Knights Variation, Shocron Gambit
6	Nfd2	E11	0	Bogo-Indian Defense: New England Variation
5	Ne4	E10	0	Indian Defense: Döry Indian
5	a6	E10	17	zindzi-Indian Defense
5	b6	E12	0	Queen's Indian Defense
6	Bf4	E12	22	: Miles Variation
6	Nc3	E12	24	Kasparov Variation
6	a3	E12	24	Petrosian Variation
7	Ba6 Qc2 Bb7	E12	43	, Farago Defense
7	Bb7 Nc3	E12	24	Kasparov-Petrosian Variation
9	Be7	E12	52	, Marco Defense
9	Ne4	E12	54	Andersson Variation
9	d5	E12	54	Main Line
9	g6	E12	54	Hedgehog Variation
6	e3	E14	24	Spassky System
7	Bb7	E14	38	
8	Bd3	E14	38	
9	c5	E14	38	3
9	d5	E14	38	
6	g3	E15	24	Fianchetto Variation
7	Ba6	E15	44	, Nimzowitsch Variation
8	Qa4	E15	67	, Nimzowitsch Attack
8	Qb3	E15	69	Timman's Line
8	b3	E15	69	Quiet Line
9	Bb4+	E15	46	Check Variation
7	Bb7	E15	46	Traditional Line
8	Bg2 Bb4+	E16	24	Capablanca Variation
9	Be7	E17	24	Traditional Variation
9	c5	E15	24	Fianchetto Variation, Sämisch Variation
5	c5 d5 b5	E10	0	Blumenfeld Countergambit
8	Bg5	E10	24	: Duz-Khotimirsky Variation
5	d5 Bg5	D30	0	Queen's Gambit Declined: Traditional Variation
7	Bb4+	D30	25	Vienna Variation
7	h6	D30	25	Capablanca Variation
6	Nc3	D37	25	Three Knights Variation
7	Bb4	D38	25	Ragozin Defense
8	Bg5 dxc4	D39	40	, Vienna Variation
8	Qa4+	D38	42	Alekhine Variation
7	Be7 Bf4	D37	25	Harrwitz Attack
7	Nbd7	D37	25	Barmen Variation
7	c5	D40	25	Semi-Tarrasch Defense
8	cxd5	D41	46	
7	dxc4	D37	25	Three Knights, Vienna Variation
8	e3	D37	25	Vienna Variation, Quiet Variation
6	e3 b6 Nc3 Bb7	E14	8	Indian Defense, with e3
6	g3 c6 Bg2 dxc4	E04	0	Catalan Opening: Open Defense
4	Qb3	E00	0	Indian Defense
4	g3	E00	0	Catalan Opening
5	d5	E00	15	
6	Bg2	E01	15	: Open Defense
7	Be7 Nf3	E06	17	Closed
7	c5 Nf3 Nc6	E01	17	Tarrasch Defense
7	dxc4	E02	17	Open Defense
8	Nf3	E04	29	
9	Be7	E05	29	, Classical Line
5	e5	E00	17	Hungarian Gambit
4	g4	E00	0	Indian Defense: Devin Gambit
3	g5	A50	16	Medusa Gambit
3	g6	E60	16	West Indian Defense
4	Nc3	E61	0	King's Indian Defense
5	Bg7 Nf3 d6 Bg5	E61	21	: Smyslov Variation
8	g3	E62	23	Fianchetto Variation, Delayed Fianchetto
6	e4	E70	23	Normal Variation
7	d6	E70	39	
8	Be2	E73	39	, Standard Development
8	Bg5	E70	23	Accelerated Averbakh Variation
8	Nf3	E90	23	Normal Variation, Rare Defenses
8	Nge2	E70	23	Kramer Variation
8	f3	E80	23	Sämisch Variation
9	O-O	E81	40	, Normal Defense
8	f4	E76	23	Four Pawns Attack
9	Na6	E76	40	, Modern Defense
8	g3	E72	23	Normal Variation, Deferred Fianchetto
8	h3	E71	23	Makogonov Variation
5	d5	D80	0	Grünfeld Defense
6	Bf4	D82	16	: Brinckmann Attack
7	Bg7 e3 O-O	D83	35	, Grünfeld Gambit
6	Bg5	D80	18	Stockholm Variation
6	Nf3	D90	18	Three Knights Variation
7	Bg7	D90	41	
8	Bf4	D92	41	, Hungarian Attack
8	Bg5	D91	43	Petrosian System
8	Qa4+	D90	18	Flohr Variation
8	Qb3	D96	18	Russian Variation
8	e3	D94	18	Three Knights Variation, Burille Variation
6	Qb3	D81	18	Russian Variation, Accelerated Variation
6	cxd5 Nxd5	D85	18	Exchange Variation
8	Na4	D85	36	, Nadanian Attack
6	f3	D80	18	Lutikov Variation
6	g4	D80	18	Gibbon Gambit
6	h4	D80	18	Zaitsev Gambit
4	Nf3 Bg7 b4	E60	0	King's Indian Defense: Santasiere Variation
6	g3	E60	23	Fianchetto Variation
7	c5 Bg2 Qa5+	E64	43	, Pterodactyl Variation
5	d5	D70	0	Neo-Grünfeld Defense: with Nf3
4	Qc2	E60	0	Queen's Pawn, Mengarini Attack
4	d5	E60	0	Indian Defense: Anti-Grünfeld, Advance Variation
5	b5	E60	33	orjan Gambit
4	f3	E60	32	lekhine Variation
5	d5	D70	0	Neo-Grünfeld Defense: Goglidze Attack
5	e5	E60	0	Indian Defense: Anti-Grünfeld, Alekhine Variation, Leko Gambit
4	g3	E60	0	King's Indian Defense: Fianchetto Variation, Immediate Fianchetto
5	Bg7 Bg2 d5	E60	0	Grünfeld Defense: Counterthrust Variation
8	cxd5 Nxd5	D71	0	Neo-Grünfeld Defense: Exchange Variation
5	d5	D70	22	with g3
6	Bg2 Bg7 Nf3	D73	29	
4	h4	E60	0	Indian Defense: Anti-Grünfeld, Basman-Williams Attack
2	d5	A45	16	Pawn Push Variation
2	e4	A45	16	Omega Gambit
3	Nxe4 Bd3 Nf6 Bg5	A45	28	, Arafat Gambit
2	f3	A45	0	Paleface Attack
3	d5 Nc3	A45	0	Queen's Pawn Game: Veresov, Richter Attack
4	e4	A45	0	Indian Defense: Paleface Attack, Blackmar-Diemer Gambit Deferred
4	g4	A45	16	Gedult Attack
2	f4	A45	0	Canard Opening
2	g3	A45	0	Indian Defense: Tartakower Attack
2	g4	A45	16	Gibbins-Weidenhagen Gambit
3	Nxg4	A45	42	 Accepted
4	e4 d6 Be2 Nf6 Nc3	A45	42	, Stummer Gambit
4	f3 Nf6 e4	A45	44	Maltese Falcon
3	e5	A45	44	Oshima Defense
1	b5	A40	0	Polish Defense
2	e4 Bb7 Bxb5	A40	14	: Spassky Gambit Accepted
1	b6	A40	0	English Defense
2	c4 Bb7 Nc3 e5	A40	15	: Eastbourne Gambit
1	c5	A43	0	Benoni Defense: Old Benoni
2	Nf3 cxd4 b4	A43	16	Zilbermints-Benoni Gambit
5	e5	A43	41	, Tamarkin Countergambit
2	b4	A43	41	
2	c4 cxd4 e3	A43	0	Queen's Pawn Game: Liedmann Gambit
2	d5	A43	0	Benoni Defense: Old Benoni
3	Na6	A43	16	Snail Variation
3	Nf6	A43	16	Benoni-Indian Defense
4	Nc3 Qa5	A43	16	Woozle
4	Nf3	A43	16	Benoni-Indian Defense, Kingside Move Order
3	d6	A43	16	Old Benoni
4	Nc3 g6	A43	26	, Schmid Variation
3	e5	A44	26	
4	e4 d6	A44	16	Semi-Benoni
3	f5	A43	16	Old Benoni, Mujannah Formation
4	e4	A43	16	Benoni-Staunton Gambit
2	dxc5	A43	22	 Gambit Accepted
3	Na6	A43	29	, Schlenker Defense
3	b6	A43	16	Cormorant Gambit
1	c6 Nf3 Nf6 c4 b5	A40	0	Slav Indian: Kudischewitsch Gambit
2	c4 d6	A40	0	Queen's Pawn Game: Anglo-Slav Opening
1	d5	D00	17	
2	Bf4	D00	17	: Accelerated London System
3	c5	D00	44	, Steinitz Countergambit
4	dxc5	D00	68	 Accepted
4	e4	D00	68	, Morris Countergambit
5	dxe4	D00	90	 Accepted
2	Bg5	D00	19	Levitsky Attack
3	Bg4	D00	34	, Welling Variation
2	Nc3	D00	19	Chigorin Variation
3	Bf5	D00	37	, Alburt Defense
3	Bg4	D00	40	nti-Veresov
3	Nf6 Bf4	D01	0	Rapport-Jobava System
5	e6	D01	21	
5	g6	D01	21	
3	c5	D00	0	Queen's Pawn Game: Chigorin Variation, Irish Gambit
3	e5	D00	39	Shaviliuk Gambit
3	e6	D00	37	
4	Bf4	D01	0	Rapport-Jobava System, with e6
3	h5	D00	0	Queen's Pawn Game: Chigorin Variation, Shropshire Defense
2	Nf3	D02	19	Zukertort Variation
3	Bf5 c4 e6 Nc3 c6	D02	8	Gambit Declined: Baltic Defense, Pseudo-Slav
3	Nc6	D02	8	Pawn Game: Chigorin Variation
3	Nf6	D02	19	Symmetrical Variation
4	Bf4	D02	19	London System
5	c5 e3	D02	32	
7	Nc6 Nbd2	D02	32	
4	Bg5	D03	19	Torre Attack
5	Ne4	D03	31	, Gossip Variation
5	e6 e3 Nbd7 Bd3	D03	31	
7	c5 Nbd2	D03	31	
8	c3 Nbd7	D03	31	
9	Nc6	D03	31	
5	g6	D03	31	, Grünfeld Variation
6	e3	D03	51	
4	c4 b5	D02	19	Zilbermints Countergambit
4	e3	D04	19	Colle System
5	Bf5	D04	31	, Anti-Colle
5	e6	D05	31	
6	Bd3	D05	31	
6	b3	D05	31	
7	c5 Bb2 Nc6	D05	31	
5	g6 Bd3 Bg7	D04	31	, Grünfeld Formation
4	g3	D02	19	Symmetrical Variation, Pseudo-Catalan
5	c6 Bg2 Bg4	D02	56	
3	c5	D02	19	Krause Variation
4	e3 Nf6 Nbd2 e6 b3	D05	19	Zukertort Variation
4	g3 cxd4 Bg2	D02	19	Chandler Gambit
3	c6 Bg5 h6 Bh4 Qb6	D02	19	Levitsky Attack, Euwe Variation, Modern Line
3	e6 Bf4	D02	20	ondon System, with e6
5	Nf6	D02	41	
2	Qd3	D00	0	Amazon Attack
2	c4	D06	0	Queen's Gambit
3	Bf5	D06	14	 Declined: Baltic Defense
4	Nc3 e6 Nf3 Nc6	D06	39	, Pseudo-Chigorin
6	Qb3	D06	41	Queen Attack Deferred
4	Qb3	D06	53	
4	cxd5 Bxb1 Qa4+ c6 dxc6 Nxc6	D06	41	Argentinian Gambit
3	Nc6	D07	25	Chigorin Defense
4	Nc3	D07	41	
5	dxc4	D07	41	
6	Nf3	D07	41	, Janowski Variation
7	Nf6	D07	43	Modern Gambit
5	e5	D07	43	Tartakower Gambit
4	Nf3 Bg4	D07	43	Main Line
6	Qa4	D07	52	, Alekhine Variation
5	e5	D07	43	Lazard Gambit
4	cxd5 Qxd5	D07	43	Exchange Variation
3	Nf6	D06	25	Marshall Defense
4	cxd5 c6	D06	41	, Tan Gambit
3	b5	D06	25	Zilbermints Gambit
3	c5	D06	25	Austrian Defense
4	cxd5 Nf6	D06	41	, Gusev Countergambit
6	e4 Nxe4 dxc5 Qa5+	D06	43	Haberditz Variation
4	dxc5 d4	D06	34	Attack, Salvio Countergambit
3	c6	D10	0	Slav Defense
4	Nc3	D10	12	
5	Nf6 e3 e6 Nf3	D45	1	emi-Slav Defense: Main Line
9	Nbd7	D45	19	Normal Variation
9	a6	D45	19	Accelerated Meran Variation
5	dxc4	D10	1	lav Defense
6	e4	D10	12	: Slav Gambit, Alekhine Attack
5	e5	D10	14	Winawer Countergambit
6	e4	D10	35	, Anti-Winawer Gambit
4	Nf3	D11	14	Modern Line
5	Nf6 Bg5	D11	14	Bonet Gambit
6	Nbd2	D11	15	reyer Variation
6	Nc3	D15	14	Three Knights Variation
7	Qb6	D15	14	Süchting Variation
7	a6	D15	14	Chebanenko Variation
8	c5	D15	34	, Advance System
8	e3 Bf5	D15	34	
7	dxc4	D15	14	Two Knights Attack
8	a4	D16	14	Alapin Variation
9	Bf5	D17	14	Czech Variation
9	Bg4	D16	14	Steiner Variation
9	Na6	D16	15	myslov Variation
9	e6	D16	15	oultanbeieff Variation
8	e3	D15	14	Alekhine Variation
8	e4	D15	14	Geller Gambit
7	e6	D43	1	emi-Slav Defense
8	Bg5 dxc4	D44	17	 Accepted
7	g6	D15	1	lav Defense: Schlechter Variation
6	cxd5 cxd5	D13	14	Exchange Variation
6	e3	D11	14	Quiet Variation
7	Bf5	D12	29	, Schallopp Defense
8	Nc3 e6	D12	48	
7	Bg4	D11	31	Pin Defense
7	e6 Nbd2	D30	1	emi-Slav Defense: Quiet Variation
9	Nbd7	D30	34	
6	g3 dxc4 Bg2 g6	D11	1	lav Defense: Modern Line
4	cxd5	D10	14	Exchange Variation
5	cxd5 Nc3 Nf6 f3	D10	32	, Boor Attack
4	e4	D10	14	Diemer Gambit
3	dxc4	D20	0	Queen's Gambit Accepted
4	Nf3	D21	23	: Normal Variation
5	Nd7	D21	25	Godes Variation
5	Nf6	D23	23	
6	Nc3	D24	23	: Showalter Variation
7	a6 e4	D24	25	Bogoljubow Defense
6	Qa4+	D23	25	Mannheim Variation
6	e3	D25	25	Normal Variation
7	Be6	D25	25	Winawer Defense
7	Bg4	D25	25	Janowski-Larsen Variation
7	e6	D26	25	Normal Variation, Traditional System
8	Bxc4 c5	D26	25	Classical Defense
7	g6	D25	25	Smyslov Variation
5	a6	D22	25	Alekhine Defense
6	e3 b5	D22	41	, Haberditz Variation
6	e4	D21	43	Borisenko-Furman Variation
5	b5	D21	25	Slav Gambit
5	c5	D21	25	Gunsberg Defense
5	e6	D21	25	Rosenthal Variation
4	Qa4+	D20	25	Accelerated Mannheim Variation
4	e3	D20	25	Old Variation
4	e4	D20	25	Saduleto Variation
5	Nc6	D20	25	Central Variation, Modern Defense
5	Nf6	D20	44	Alekhine System
5	b5	D20	44	Greco Variation
5	c5	D20	44	Rubinstein Defense
6	d5 Nf6 Nc3 b5	D20	25	Linares Variation
7	b5	D20	25	Central Variation, Rubinstein Defense, Yefimov Gambit
5	e5	D20	44	McDonnell Defense
6	Bxc4	D20	61	, Somov Gambit
5	f5	D20	25	Schwartz Defense
3	e5	D08	15	Declined: Albin Countergambit
4	dxe5 d4 Nf3	D08	44	, Normal Line
7	Nc6 Nbd2	D08	46	Modern Line
9	Qe7	D08	46	Balogh Variation
9	f6	D08	46	Janowski Variation
8	g3	D09	46	Fianchetto Variation
9	Be6	D09	66	, Be6 Line
9	Bf5	D09	69	f5 Line
9	Bg4	D09	69	g4 Line
7	c5	D08	46	Tartakower Defense
6	e3 Bb4+ Bd2 dxe3	D08	46	Lasker Trap
6	e4	D08	46	Spassky Variation
3	e6	D30	23	
4	Nc3	D31	23	: Queen's Knight Variation
5	Be7	D31	25	Charousek Variation
6	e4 dxe4 f3	D31	44	, Miladinovic Gambit
5	Nf6	D35	25	Normal Defense
6	Bf4	D35	25	Harrwitz Attack
6	Bg5	D50	25	Modern Variation
7	Be7	D53	23	
8	Bxf6	D53	23	: Modern Variation, Heral Variation
8	Nf3	D53	23	
7	Nbd7	D51	23	: Modern Variation, Knight Defense
8	e3	D51	57	
9	Bb4	D51	26	anhattan Variation
9	c6	D51	26	odern Variation, Knight Defense
7	c5	D50	25	Been-Koomen Variation
8	cxd5	D50	25	Pseudo-Tarrasch Variation
9	Qb6	D50	50	, Canal Variation
6	Nf3 Be7 e3 O-O	D37	25	Three Knights Variation
7	c5 Bg5	D40	25	Semi-Tarrasch Defense, Pillsbury Variation
5	a6	D31	25	Janowski Variation
5	c5	D32	0	Tarrasch Defense
6	cxd5 cxd4	D32	16	: Schara Gambit
7	exd5	D32	0	Queen's Gambit Declined: Tarrasch Defense
8	Nf3	D32	0	Tarrasch Defense: Two Knights Variation
8	e4	D32	18	Marshall Gambit
6	e3 Nf6 Nf3 Nc6	D32	18	Symmetrical Variation
5	c6	D31	0	Semi-Slav Defense: Accelerated Move Order
6	Nf3 dxc4	D31	19	Noteboom Variation
8	Bg5	D31	37	, Anti-Noteboom Variation
9	f6	D31	62	, Belyavsky Line
8	g3	D31	53	Gambit
6	e3 f5	D31	19	Anti-Noteboom, Stonewall Variation
8	g4	D31	53	, Portisch Gambit
6	e4	D31	19	Marshall Gambit
7	dxe4 f3	D31	19	Gunderam Gambit
4	Nf3 Nf6 Nc3 dxc4 Bg5	D24	0	Queen's Gambit Accepted
9	Be7	D53	15	Declined
8	e4	D24	15	Accepted
6	e3 c6 Nbd2 g6	D30	15	Declined: Spielmann Variation
5	c5	D30	25	Tarrasch Defense, Pseudo-Tarrasch
6	cxd5 exd5 Bg5	D30	58	 Bishop Attack
2	e3	D00	8	Pawn Game
3	Nf6	D00	17	
4	Bd3	D00	17	: Stonewall Attack
2	e4	D00	0	Blackmar-Diemer Gambit
3	dxe4 Bc4	D00	22	: Fritz Attack
4	Be3	D00	24	Diemer-Rosenberg Attack
4	Nc3 Bf5	D00	24	Zeller Defense
6	f3 Nf6 Bc4	D00	38	, Soller Attack
5	Nf6	D00	22	
6	Be3	D00	22	: Rasa-Studier Gambit
6	Bg5	D00	24	von Popiel Gambit
6	f3 Bf5	D00	22	 Declined: Vienna Defense
7	Nc6	D00	33	Lamb Defense
7	a6	D00	33	Gedult Defense
7	c5	D00	33	Brombacher Countergambit
7	c6	D00	33	O'Kelly Defense
7	e3	D00	33	Langeheinicke Defense
7	e5	D00	33	Elbert Countergambit
7	e6	D00	33	Weinsbach Defense
8	fxe4	D00	50	, Pfrang Gambit
7	exf3	D00	23	Accepted
8	Nxf3 Bf5	D00	31	: Gunderam Defense
9	Bg4	D00	33	Teichmann Defense
9	Nbd7	D00	33	Schlutter Defense
9	Nc6	D00	33	Pietrowsky Defense
9	Qd6	D00	33	Holwell Defense
9	b6	D00	33	Ritter Defense
9	c5	D00	33	Kaulich Defense
9	c6	D00	33	Ziegler Defense
9	e6	D00	33	Euwe Defense
9	g6	D00	33	Bogoljubow Defense
8	Qxf3	D00	33	Ryder Gambit
5	c5	D00	22	: Reversed Albin Countergambit
5	e5	D00	24	Lemberger Countergambit
6	Be3	D00	47	, Soller Attack
6	Nge2	D00	49	Rasmussen Attack
6	Nxe4	D00	49	Lange Gambit
6	Qh5	D00	49	Sneiders Attack
6	dxe5	D00	49	Endgame Variation
5	f5	D00	24	Netherlands Variation
4	f3	D00	24	Blackmar Gambit
2	f4	D00	0	Queen's Pawn Game: Mason Attack
2	g4	D00	19	Zurich Gambit
1	d6	A41	17	
2	Nf3 Bg4	A41	0	Wade Defense
4	c4 Nd7 Qb3 Rb8	A41	0	Zukertort Opening: Wade Defense, Chigorin Plan
3	g6	A41	0	Queen's Pawn Game: Rossolimo Variation
4	c4 Bg7 e4 Bg4	A41	0	Robatsch Defense: Rossolimo Variation
2	c4	A41	0	Old Indian Defense
3	e5	A41	0	Rat Defense: English Rat
4	dxe5 Be6	A41	24	, Pounds Gambit
5	Nc6	A41	26	Lisbon Gambit
1	e5	A40	0	Englund Gambit
2	Nf3	A40	14	 Declined: Reversed Alekhine
3	e4	A40	34	Krebs
4	Ne5	A40	34	Mokele Mbembe
4	Ng1	A40	34	Brooklyn
2	d5	A40	23	
3	Bc5 e4 Qh4	A40	23	: Diemer Counterattack
2	dxe5 Nc6 Nf3 Bc5	A40	14	: Felbecker Gambit
5	Nge7	A40	16	Zilbermints Gambit
5	Qe7	A40	16	Main Line
6	Qd5	A40	16	Stockholm Variation
5	f6	A40	17	oller Gambit Deferred
3	Qh4	A40	16	Mosquito Gambit
3	d6	A40	16	Hartlaub-Charlick Gambit
3	f6	A40	16	Soller Gambit
2	e3	A40	14	 Declined: Reversed French
1	e6	A40	0	Horwitz Defense
2	c4 Bb4+	A40	0	Kangaroo Defense
4	Nc3	A40	16	: Keres Defense, Transpositional Variation
3	b6	A40	0	English Defense
4	Nc3 d5	D31	0	Queen's Gambit Declined: Alapin Variation
4	e4 Bb7 Bd3 Nc6	A40	0	English Defense: Perrin Variation
6	f3 f5 exf5 Nh6	A40	18	oli Gambit
3	e5	A40	0	Horwitz Defense: Zilbermints Gambit
2	e4 d6	C00	0	Rat Defense: Small Center Defense
1	f5	A80	0	Dutch Defense
2	Bf4 e6 g4	A80	13	: Senechaud Gambit
2	Bg5	A80	15	Hopton Attack
2	Nc3	A80	15	Raphael Variation
3	Nf6 g4	A80	15	Spielmann Gambit
3	d5	A80	0	Queen's Pawn Game: Veresov Attack, Dutch System
4	e4	A80	0	Dutch Defense: Kingfisher Gambit
2	Nf3 Nf6 c3	A80	15	Barcza Variation
3	e5	A80	15	Omega-Isis Gambit
2	Qd3	A80	15	Alapin Variation
3	d5 g4	A80	15	Manhattan Gambit, Anti-Stonewall
3	d6 g4	A80	38	Modern
3	e6 g4	A80	38	Classical Line
3	g6 g4	A80	38	Leningrad
2	c4	A84	13	
3	Nf6	A84	13	: Normal Variation
4	Nc3	A85	15	Queen's Knight Variation
5	d6 Nf3 Nc6	A84	15	Krause Variation
4	g3	A86	15	Fianchetto Variation
5	d6 Bg2 c6 Nc3 Qc7	A86	15	Hort-Antoshin System
5	e6 Bg2	A90	15	Classical Variation
7	Bb4+	A90	15	Nimzo-Dutch Variation
8	Bd2 Be7	A90	36	, Alekhine Variation
7	Be7	A91	15	Classical Variation
8	Nf3 O-O	A92	34	
8	Nh3	A91	34	, Blackburne Attack
7	d5 Nf3	A90	34	
5	g6	A86	15	Leningrad Variation
6	Bg2 Bg7 Nf3	A87	34	
3	e6	A84	15	Classical Variation
4	Nc3	A84	15	Rubinstein Variation
4	e4	A84	15	Bellon Gambit
3	g6 Nc3 Nh6	A84	16	ladel Variation
2	e4	A82	15	Staunton Gambit
3	fxe4	A82	30	 Accepted
4	Nc3 Nf6 Bg5	A83	30	
7	b6	A83	30	, Nimzowitsch Variation
7	c6	A83	32	Chigorin Variation
7	g6 f3	A83	32	Lasker Variation
8	h4	A83	32	Alekhine Variation
6	f3	A82	15	Blackmar's Second Gambit
6	g4	A82	15	Staunton Gambit, Tartakower Variation
4	Nd2	A82	32	American Attack
2	g3	A81	15	Fianchetto Attack
3	Nf6 Bg2 e6 Nh3	A81	15	Blackburne Variation
5	g6	A81	15	Semi-Leningrad Variation
3	c6 Bg2 g6 Nf3 Bg7 O-O Nh6	A81	15	Leningrad, Basman System
3	g6 Bg2 Bg7 Nh3	A81	24	 Variation, Carlsbad Variation
2	g4	A80	15	Krejcik Gambit
3	e5	A80	15	Hevendehl Gambit
3	fxg4 e4 d5 Nc3	A80	15	Krejcik Gambit, Tate Gambit
2	h3	A80	16	orchnoi Attack
3	Nf6 g4	A80	15	Janzen-Korchnoi Gambit
1	g5	A40	0	Borg Defense: Borg Gambit
1	g6	A40	0	Queen's Pawn Game: Modern Defense
2	Nc3 Bg7 e4 c5 d5 Qa5	B06	0	Pterodactyl Defense: Eastern, Benoni Pterodactyl
2	Nf3 Bg7 Bf4 c5 c3 cxd4 cxd4 Qa5+	D02	0	Queen's Pawn Game: London System, Pterodactyl Variation
4	Nc3 d5	D00	19	Chigorin Variation, Fianchetto Defense
4	e3 c5 Bd3 Qa5+	A40	0	Colle System: Pterodactyl Variation
7	cxd4 Nxd4 Qa5+	A40	14	Siroccopteryx Variation
4	g3 c5 Bg2 Qa5+	A40	0	Pterodactyl Defense: Fianchetto, Queen Pterodactyl
2	c4 Bg7 Nc3 c5 d5 Bxc3+ bxc3 Qa5	A40	43	anodon
9	f5	A40	0	Modern Defense: Beefeater Variation
7	Qa5	A40	0	Pterodactyl Defense: Fianchetto, Queen Benoni Pterodactyl
6	e3	A40	21	Queen Pterodactyl, Quiet Line
5	d6	A41	0	Modern Defense
6	e4	A42	14	: Averbakh System
7	Nc6	A42	16	Kotov Variation
7	f5	A42	16	Randspringer Variation
4	e4 c5 d5 Qa5+	A40	0	Pterodactyl Defense: Central, Benoni Pterodactyl
5	d6 Be3 Nf6 f3	A42	0	Modern Defense: Averbakh Variation, Pseudo-Sämisch
6	Nc3 c5 Nge2 Qa5	A42	0	Pterodactyl Defense: Central, Bogolubovia
5	e5	A41	0	Modern Defense: Neo-Modern Defense
2	e4 Bg7 Nc3 c5 d5	B06	0	Pterodactyl Defense: Eastern, Benoni
2	h4 Nf6 h5	A40	0	Modern Defense: Lizard Defense, Pirc-Diemer Gambit
0	e3	A00	0	Van't Kruijs Opening
1	e5 Bc4 b5 Bb3	A00	20	: Bouncing Bishop Variation
2	Nc3 Nc6 f4 exf4 Nf3	A00	22	Keoni-Hiva Gambit, Alua Variation
3	Nf6 f4 exf4 Nf3	A00	42	kahi Variation
3	d5 f4 exf4 Nf3	A00	41	Ekolu Variation
2	c4 d6 Nc3 Nc6 b3 Nf6	A00	0	Amsterdam Attack
0	e4	B00	0	King's Pawn Game
1	Na6	B00	0	Lemming Defense
1	Nc6	B00	0	Nimzowitsch Defense
2	Bb5	B00	19	: Pseudo-Spanish Variation
2	Nc3 Nf6 d4 e5	B00	21	Breyer Variation
3	e6	B00	21	French Connection
3	g6	B00	21	Pirc Connection
2	Nf3	B00	21	Declined Variation
3	Nf6 e5 Ng4	B00	21	El Columpio Defense
3	d6	B00	21	Williams Variation
3	e6	B00	21	Franco-Nimzowitsch Variation
3	f5	B00	21	Colorado Countergambit
4	exf5	B00	43	 Accepted
2	b4	B00	21	Wheeler Gambit
2	d4	B00	19	
3	a6	B00	19	: Woodchuck Variation
3	d5	B00	21	Scandinavian Variation
4	Be3	B00	21	Hornung Gambit
4	Nc3	B00	21	Scandinavian Variation, Bogoljubow Variation
5	Nf6	B00	65	, Vehre Variation
5	a6	B00	67	Brandics Gambit
5	dxe4	B00	65	
6	d5	B00	0	Van Geet Opening: Berlin Gambit
7	Nb8 f3	B00	0	Nimzowitsch Defense: Scandinavian Variation, Bogoljubow Variation, Richter Gambit
7	Ne5	B00	67	Nimzowitsch Gambit
5	e5	B00	67	Heinola-Deppe Gambit
5	g6	B00	67	Erben Gambit
4	e5	B00	45	Advance Variation
4	exd5 Nb4	B00	46	achen Gambit
5	Qxd5	B00	45	Exchange Variation
6	Nc3	B00	63	, Marshall Gambit
3	d6	B00	21	Mikenas Variation
3	e5	B00	21	Kennedy Variation
4	d5	B00	38	, Linksspringer Variation
4	dxe5 Bc5	B00	40	Bielefelder Gambit
5	Nxe5 Nc3	B00	40	Keres Attack
6	Nf3	B00	40	Paulsen Attack
6	f4 Nc6	B00	40	Riemann Defense
7	Ng6	B00	40	Main Line
5	Qh4	B00	40	Herford Gambit
5	d6	B00	40	de Smet Gambit
5	f6	B00	40	Hammer Gambit
3	f6	B00	21	Neo-Mongoloid Defense
1	Nf6	B02	0	Alekhine Defense
2	Bc4	B02	16	: Krejcik Variation
3	Nxe4 Bxf7+	B02	35	, Krejcik Gambit
2	Nc3 d5	B02	18	Scandinavian Variation
4	d3 dxe4 Bg5	B02	40	, Myers Gambit
4	e5 Nfd7 e6	B02	19	pielmann Gambit
4	exd5 c6	B02	19	candinavian Variation, Geschev Gambit
2	d3	B02	18	Maróczy Variation
2	e5 Nd5	B02	18	Normal Variation
4	Bc4 Nb6 Bb3 c5 d3	B02	18	Kmoch Variation
4	Na3	B02	18	Buckley Attack
4	Nc3	B02	18	Sämisch Attack
4	b3	B02	18	Welling Variation
4	c4	B02	18	Two Pawns Attack
5	Nb6 a4	B02	34	, Tate Variation
6	b3	B02	18	Steiner Variation
6	c5	B02	18	Two Pawns Attack, Lasker Variation
5	Nf4	B02	19	he Squirrel
4	d4	B03	16	
5	b5	B03	16	: O'Sullivan Gambit
5	d6	B03	16	
6	Bc4	B03	16	: Balogh Variation
6	Nf3	B04	18	Modern Variation
7	Bg4	B05	34	, Main Line
8	Be2 c6	B05	36	Flohr Variation
8	c4	B05	36	Alekhine Variation
8	h3	B05	36	Panov Variation
7	Nb6	B04	36	Schmid Variation
7	Nc6	B04	36	Larsen-Haakert Variation
7	dxe5	B04	42	 Variation
7	g6	B04	36	Alburt Variation
6	c4	B03	16	
7	Nb6 c5	B03	16	: Hunt Variation
8	exd6	B03	18	Exchange Variation
8	f4	B03	18	Four Pawns Attack
9	Bf5	B03	35	, Trifunovic Variation
9	g5	B03	37	Cambridge Gambit
9	g6	B03	37	Fianchetto Variation
3	Ne4	B02	18	Mokele Mbembe
4	d4 e6	B02	31	, Vavra Defense
5	f6	B02	33	Modern Line
3	Ng8	B02	18	Brooklyn Variation
4	d4 f5	B02	36	, Everglades Variation
1	Nh6	B00	0	Hippopotamus Defense
2	d4 g6 c4 f6	B00	20	
1	a5	B00	0	Ware Defense
2	d4 Nc6	B00	12	: Snagglepuss Defense
1	a6	B00	0	St. George Defense
2	d4 b5 Nf3 Bb7 Bd3 e6	B00	18	: Polish Variation
3	e5	B00	20	Zilbermints Gambit
1	b6	B00	0	Owen Defense
2	d4 Ba6	B00	12	: Guatemala Defense
3	Bb7 Bd3 f5 exf5 Bxg2 Qh5+ g6	B00	14	Matovinsky Gambit
4	Bg5	B00	14	Naselwaus Gambit
4	Nf3	B00	14	Smith Gambit
4	f3 e5	B00	14	Wind Gambit
3	c5 dxc5 Nc6	B00	14	Hekili-Loa Gambit
1	c5	B20	0	Sicilian Defense
2	Bc4	B20	16	: Bowdler Attack
2	Ke2	B20	18	King David's Opening
2	Na3	B20	19	ronberger Variation
3	Nc6 d4 cxd4 Bc4	B20	38	, Nemeth Gambit
2	Nc3	B23	18	Closed
3	Nc6	B23	24	, Traditional
4	Nge2	B23	26	Chameleon Variation
4	d3 g6 g4	B23	26	Portland Attack
4	f4	B23	18	Grand Prix Attack
4	g3	B24	18	Closed, Fianchetto Variation
5	g6	B24	24	
6	Bg2 Bg7	B24	24	
8	d3 d6	B25	24	
4	g4	B23	24	, Grob Attack
3	d6 d4 cxd4 Qxd4 Nc6 Qd2	B23	26	Carlsen Variation
3	e6	B23	24	
4	g3	B23	24	
5	d5	B23	24	, Korchnoi Defense
2	Ne2	B20	18	Keres Variation
2	Nf3	B27	16	
3	Nc6	B30	16	: Old Sicilian
4	Bb5	B30	18	Nyezhmetdinov-Rossolimo Attack
5	Na5 b4	B30	48	, San Francisco Gambit
5	Nb8	B30	50	Brooklyn Retreat Defense
5	g6	B31	50	Fianchetto Variation
4	Nc3 e5	B30	18	Closed, Anti-Sveshnikov Variation
6	Bc4 Be7 d3 Nf6	B30	51	, with Nf6
9	d6	B30	58	d6
4	b4	B30	18	Portsmouth Gambit
4	d4	B32	18	Open
5	cxd4	B32	22	
6	Nxd4	B32	22	
7	Nf6	B33	22	
8	Nc3 e5	B33	18	Lasker-Pelikan Variation
7	Qb6	B32	18	Godiva Variation
7	Qc7	B32	18	Flohr Variation
7	a6 c4 e5	B32	18	O'Kelly Variation, Maróczy Bind, Geller Line
7	d5	B32	18	Nimzo-American Variation
7	e5	B32	18	Löwenthal Variation
8	Nb5 d6	B32	18	Kalashnikov Variation
7	g6	B32	18	Accelerated Dragon
8	Nc3	B34	36	, Modern Variation
8	Nxc6	B34	38	Exchange Variation
8	c4	B36	38	Maróczy Bind
9	Bg7	B37	50	
5	e6	B32	18	Franco-Sicilian Variation
3	Nf6	B29	18	Nimzowitsch Variation
4	Nc3	B29	39	, Closed Variation
4	e5	B29	41	Advance Variation
5	Nd5 Nc3 Nxc3	B29	41	Exchange Variation
3	Qa5	B27	18	Mongoose Variation
3	Qc7	B27	18	Quinteros Variation
3	a6	B28	18	O'Kelly Variation
4	Be2	B28	35	, Aronin System
4	Nc3	B28	37	Yerevan System
4	b3	B28	37	Kieseritzky System
4	b4	B28	37	Wing Gambit
4	c3	B28	37	Venice System
5	Nf6	B28	50	, Barcza Line
5	b5	B28	52	Ljubojevic Line
5	d5 exd5 Nf6	B28	52	Gambit Line
5	d6	B28	52	Steiner Line
4	c4	B28	37	Maróczy Bind
5	d6	B28	49	, Robatsch Line
5	e6	B28	51	Paulsen Line
4	d3	B28	37	Quiet System
4	d4	B28	37	Normal System
5	cxd4 Bc4	B28	50	, Cortlever Gambit
6	Nxd4 e5	B28	52	Taimanov Line
6	Qxd4	B28	52	Zagorovsky Line
6	c3	B28	52	Smith-Morra Line
4	g3	B28	37	Réti System
3	b5	B27	18	Polish Gambit
3	b6	B27	18	Katalimov Variation
3	d6	B50	18	Modern Variations
4	Bb5+	B51	20	scow Variation
5	Bd7	B52	34	, Main Line
6	Bxd7+ Qxd7 c4	B52	36	Sokolsky Variation
4	Bd3	B50	18	Kopec System
4	b4	B50	18	Wing Gambit, Deferred Variation
4	c3	B50	18	Delayed Alapin Variation, with d6
4	d4	B50	16	
5	Nf6	B50	16	: Modern Variations, Anti-Qxd4 Move Order
6	dxc5 Nxe4	B50	57	 Accepted
5	cxd4	B50	16	
6	Nxd4 Nf6	B54	16	: Modern Variations, Main Line
8	Bc4	B54	37	Ginsberg Gambit
8	Nc3 Bd7	B56	18	Kupreichik Variation
9	Nc6	B56	18	Classical Variation
9	a6	B90	18	Najdorf Variation
9	g6	B70	18	Dragon Variation
8	f3	B54	18	Prins Variation
7	g6	B54	18	Dragon Variation, Accelerated Dragon
6	Qxd4	B53	18	Chekhover Variation
7	Nc6 Bb5 Qd7	B53	37	, Zaitsev Defense
6	c3	B50	18	Modern Variations, Tartakower
4	g3 b5	B50	18	Kotov Gambit
3	e5	B27	18	Jalalabad Variation
3	e6	B40	18	French Variation
4	b3	B40	34	, Westerinen Attack
4	b4	B40	18	Wing Gambit Deferred
4	c3	B40	18	Delayed Alapin Variation, with e6
5	Nf6 e5 Nd5 d4 Nc6	B40	18	Alapin Variation, Sherzer Variation
5	d5 exd5 Qxd5 d4 Nf6	B22	18	Delayed Alapin Variation
4	c4	B40	18	Kramnik Variation
4	d4 a6	B40	18	Drazic Variation
5	cxd4	B40	18	French Variation, Open
6	Nxd4 Bc5	B40	18	Paulsen-Basman Defense
7	Nc6	B44	18	Taimanov Variation
8	Nb5	B44	36	, Szén Variation
8	Nc3	B45	36	
9	Nf6	B45	18	Four Knights Variation
9	Qc7	B47	18	Taimanov Variation, Bastrikov Variation
9	a6	B46	36	
7	Nf6	B40	18	French Variation, Normal
8	Nc3 Bb4	B40	18	Pin Variation
9	Qb6	B40	18	Gaw-Paw Variation
9	d6	B80	18	Scheveningen Variation
7	Qb6	B40	18	Kveinis Variation
7	a6	B41	19	an Variation
8	Bd3	B42	31	, Modern Variation
9	Bc5	B42	33	Polugaevsky Variation
9	g6	B42	33	Swiss Cheese Variation
8	Nc3	B43	33	Knight Variation
9	b5	B43	33	Wing Attack
8	c4	B41	33	Maróczy Bind, Réti Variation
9	g6	B41	47	Hedgehog Variation
6	c3	B40	18	Smith-Morra Gambit Deferred
5	d5	B40	18	Marshall Counterattack
3	f5	B27	18	Brussels Gambit
4	exf5 Nh6	B27	18	Double-Dutch Gambit
3	g6	B27	18	Hyperaccelerated Dragon
4	c3 Bg7 d4 Qa5	B27	0	Pterodactyl Defense: Western, Pterodactyl
4	c4 Bh6	B27	0	Sicilian Defense: Acton Extension
4	d4	B27	18	Hyperaccelerated Dragon
5	Bg7	B27	35	Pterodactyl
6	Nc3 Qa5	B27	0	Modern Defense: Pterodactyl Variation
8	Bd2	B27	0	Pterodactyl Defense: Sicilian, Unpin
8	Be3	B27	31	Anhanguera
8	d5	B27	31	Benoni Gambit
6	dxc5 Qa5+	B27	21	Western, Rhamphorhynchus
8	Nc3	B27	21	Sicilian, Rhamphorhynchus
5	f5	B27	0	Sicilian Defense: Frederico Variation
3	h6	B27	18	Bücker Variation
2	Nh3	B20	19	rick Variation
2	Qg4	B20	18	Amazon Attack
2	a3	B20	18	Mengarini Variation
2	a4	B20	19	yers Attack, with a4
2	b3	B20	18	Czerniak Attack
3	b6	B20	33	, Queen Fianchetto Variation
3	d5 Bb2	B20	18	Euwe Attack, Prins Gambit
2	b4	B20	18	Wing Gambit
3	cxb4 Bb2	B20	29	, Abrahams Variation
4	a3	B20	31	Marshall Variation
5	bxa3	B20	31	Carlsbad Variation
5	d5 exd5 Qxd5 Bb2	B20	31	Marienbad Variation
4	c4	B20	31	Santasiere Variation
2	c3	B22	18	Alapin Variation
3	Nf6 e5 Nd5 Nf3 Nc6 Na3	B22	18	Heidenfeld Variation
6	d4 cxd4	B22	18	Alapin Variation, Smith-Morra Declined
3	d5 exd5 Nf6	B22	36	Anti-Alapin Gambit
5	Qxd5	B22	36	Barmen Defense
6	d4 Nc6 Nf3	B22	50	
7	Nf6 Nf3 Bg4	B22	50	, Modern Line
7	g6 Nf3	B22	50	
2	c4	B20	18	Staunton-Cochrane Variation
3	d6 Nc3 Nc6 g3 h5	B20	18	Gloria Variation
2	d3 Nc6 c3 d6 f4	B20	18	Big Clamp Formation
2	d4	B21	18	Smith-Morra Gambit
3	cxd4 Nf3	B21	18	Morphy Gambit
5	e5 c3	B21	31	, Andreaschek Gambit
4	Qxd4 Nc6 Qd1 Nf6 Bc4	B21	18	Coles Sicilian Gambit
4	c3	B21	18	Smith-Morra Gambit
5	Nf6	B21	36	 Declined, Alapin Formation
5	Qa5	B21	47	Wing Formation
5	d3	B21	47	Push Variation
6	c4	B21	47	Dubois Variation
5	d5	B21	47	Scandinavian Formation
5	dxc3	B21	37	Accepted
6	Nf3	B21	45	, Danish Variation
6	Nxc3 Nc6 Nf3 g6	B21	47	Fianchetto Defense
7	d6 Nf3 g6	B21	65	
7	e6 Nf3 a6	B21	47	Kan Formation
7	g6	B21	47	Fianchetto Defense
5	e5	B21	37	Declined, Center Formation
4	f4	B21	18	Halasz Gambit
2	f4	B21	18	McDonnell Attack
3	d5 Nc3	B21	34	, Toilet Variation
4	Nf3 dxe4	B21	0	Bird Opening: Dutch Variation, Batavo Gambit
4	exd5 Nf6	B21	0	Sicilian Defense: McDonnell Attack, Tal Gambit
3	e5	C30	0	King's Gambit Declined: Mafia Defense
2	g3	B20	0	Sicilian Defense: Lasker-Dunne Attack
2	g4	B20	18	Grob Variation
2	h4	B20	18	Myers Attack, with h4
1	c6	B10	0	Caro-Kann Defense
2	Bc4	B10	17	: Hillbilly Attack
3	d5 Bb3 dxe4 Qh5	B10	35	, Schaeffer Gambit
2	Nc3	B10	17	
3	d5	B10	17	
4	Nf3	B10	17	: Two Knights Attack
5	Bg4	B11	37	, Mindeno Variation
6	h3 Bh5	B11	56	, Retreat Line
7	Bxf3	B11	58	Exchange Line
5	dxe4 Ng5	B10	19	Hector Gambit
4	Qf3	B10	19	Goldman Variation
4	d3 dxe4 Bg5	B10	19	Scorpion-Horus Gambit
4	h3	B10	20	t. Patrick's Attack
2	Nf3 d5 d3	B10	19	Endgame Offer
5	dxe4 Ng5	B10	19	Dinic Gambit
6	dxe4 Qxd1+ Kxd1	B10	19	Endgame Variation
4	exd5 cxd5 Ne5	B10	19	Apocalypse Attack
2	b3	B10	19	Euwe Attack
2	b4	B10	19	Labahn Attack
3	d5 b5	B10	32	, Double Gambit
3	e5 Bb2	B10	34	Polish Variation
2	c4	B10	19	Accelerated Panov Attack
3	d5	B10	43	
4	cxd5 cxd5 Qb3	B10	43	, Van Weersel Attack
4	e5	B10	19	Toikkanen Gambit
4	exd5 Qxd5	B10	19	Accelerated Panov Attack, Pseudo-Scandinavian
5	cxd5 cxd5 Nf6	B10	45	Modern Variation
3	e5	B10	45	Open Variation
2	d3	B10	19	Breyer Variation
2	d4	B12	17	
3	Na6	B12	17	: De Bruycker Defense
4	Nc3 Nc7	B12	38	
3	Nf6	B12	19	Masi Variation
3	d5	B12	17	
4	Bd3 Nf6 e5 Nfd7 e6	B12	17	: Mieses Attack, Landau Gambit
4	Be3	B12	26	Gambit
4	Nc3	B15	17	
5	Nf6	B15	17	: Campomanes Attack
5	b5	B15	19	Gurgenidze Counterattack
5	dxe4	B15	17	
6	Bc4	B15	17	: von Hennig Gambit
6	Nxe4 Nf6 Bd3	B15	19	Alekhine Gambit
8	Nxf6+ exf6	B15	19	Tartakower Variation
9	gxf6	B16	19	Bronstein-Larsen Variation
6	f3	B15	19	Rasa-Studier Gambit
5	g6	B15	19	Gurgenidze System
4	Nd2	B12	19	Modern Variation
5	Qb6	B12	19	Edinburgh Variation
5	dxe4 Nxe4	B15	19	Main Line
7	Bf5	B18	19	Classical Variation
7	Nd7	B17	19	Karpov Variation
8	Ng5	B17	35	, Modern Variation
9	Ndf6	B17	53	, Ivanchuk Defense
7	h6	B16	19	Finnish Variation
4	Nf3 dxe4 Ng5	B12	19	Ulysses Gambit
4	e5	B12	19	Advance Variation
5	Bf5 Nc3	B12	36	, Van der Wiel Attack
7	Qb6	B12	57	, Dreyev Defense
6	Ne2	B12	38	Bronstein Variation
6	Nf3	B12	38	Short Variation
6	b4	B12	38	Prins Attack
6	c3 e6 Be2	B12	26	, Short Variation
6	g4	B12	26	 Variation, Bayonet Attack
6	h4	B12	38	Tal Variation
5	c5	B12	38	Botvinnik-Carls Defense
4	exd5	B13	19	Exchange Variation
5	cxd5	B13	37	
6	Bf4	B13	37	
6	Nf3 Nc6	B13	37	
6	c4	B13	19	Panov Attack
7	Nf6 Nc3	B13	31	
9	Nc6	B13	31	, Modern Defense
9	e6	B14	31	
9	g6	B14	31	, Fianchetto Defense
8	c5	B13	33	Gunderam Attack
6	g4	B13	19	Exchange Variation, Bulla Attack
4	f3	B12	19	Maróczy Variation
3	f5	B12	21	ssachusetts Defense
2	g4	B10	19	Spike Variation
3	d5 Nc3 dxe4 d3	B10	34	, Scorpion-Grob Gambit
1	d5	B01	0	Scandinavian Defense
2	Nc3 dxe4 Nxe4 e5	B01	0	Van Geet Opening: Grünfeld Defense
2	Nf3	A06	0	Zukertort Opening: Tennison Gambit
3	dxe4 Ng5 Nf6 Nc3 Bf5 Qe2 Qd4	A06	34	, Brigg's Trap
2	b3	B01	0	Scandinavian Defense
2	b4	B01	20	: Zilbermints Gambit
2	exd5 Nf6	B01	22	Modern Variation
4	c4 c6	B01	22	Panov Transfer
5	e6	B01	22	Icelandic-Palme Gambit
4	d4	B01	22	Modern Variation
5	Bg4	B01	22	Portuguese Gambit
6	Bb5+ Nbd7 Be2	B01	39	, Lusophobe Variation
7	c6	B01	41	Elbow Variation
6	Be2	B01	41	Wuss Variation
6	Nf3	B01	41	Classical Variation
6	f3 Bf5 c4	B01	41	Banker Variation
8	g4	B01	41	Correspondence Refutation
5	Nxd5	B01	22	Marshall Variation
6	Nf3 Bg4	B01	23	odern Variation, Gipslis Variation
7	g6	B01	22	Richter Variation
6	c4 Nb4	B01	22	Kiel Variation
5	c6 dxc6 e5	B01	23	ádas Gambit
5	g6	B01	22	Richter Variation
6	c4 b5	B01	22	Modern Variation, Wing Gambit
3	Qxd5	B01	23	ieses-Kotroc Variation
4	Nc3 Qa5	B01	23	ain Line
6	b4	B01	31	, Leonhardt Gambit
6	d4 Nf6	B01	33	Mieses Variation
8	Nf3 Bf5	B01	22	Classical Variation
7	e5	B01	22	Anderssen Counterattack
8	Nf3	B01	45	, Goteborg System
9	Bg4	B01	47	Collijn Variation
5	Qd6	B01	22	Gubinsky-Melts Defense
6	d4 Nf6 Nf3 a6	B01	22	Bronstein Variation
7	c6	B01	22	Schiller-Pytel Variation
5	Qd8	B01	22	Valencian Variation
6	d4 Nf6 Nf3 Bg4	B01	41	, Main Line
9	c6	B01	43	Ilundain Variation
3	c6	B01	22	Blackburne-Kloosterboer Gambit
4	dxc6 Nxc6	B01	32	 Gambit
5	e5	B01	22	Kloosterboer Gambit
3	e5 dxe6 Bxe6	B01	22	Boehnke Gambit
1	d6	B00	0	Pirc Defense
2	d4	B00	12	
3	Nd7	B00	0	Rat Defense: Antal Defense
3	Nf6	B00	0	Pirc Defense
4	Nc3 Nbd7	B07	0	Lion Defense
6	f4	B07	12	: Anti-Philidor
7	e5	B07	27	, Lion's Cave
6	g4	B07	14	Bayonet Attack
5	c6	B07	0	Czech Defense
5	g6	B07	0	Pirc Defense
6	Bc4	B07	12	: Kholmov System
6	Be2 Bg7 g4	B07	14	Chinese Variation
8	h4	B07	14	Bayonet Attack
6	Be3 c6 Qd2	B07	14	150 Attack
9	Bg4	B07	24	, Inner Doll Defense
8	h3	B07	26	Sveshnikov-Jansa Attack
6	Bg5	B07	14	Byrne Variation
6	Nf3	B08	14	Classical Variation
7	Bg7	B08	33	
8	Be2	B08	33	, Quiet System
8	h3	B08	35	Schlechter Variation
6	f4	B09	14	Austrian Attack
7	Bg7 Bc4	B09	29	, Ljubojevic Variation
8	Nf3 O-O	B09	29	
9	c5	B09	29	, Dragon Formation
6	g3	B07	14	Sveshnikov System
4	Nf3	B00	14	Roscher Gambit
4	f3	B00	0	Lion Defense: Lion's Jaw
3	e5	B07	0	King's Pawn Game: Maróczy Defense
3	f5	A82	0	Rat Defense: Balogh Defense
2	f4	B00	13	Harmonist
3	d5 exd5 Nf6	B00	13	Fuller Gambit
2	g4	B00	13	Spike Attack
2	h4	B00	13	Petruccioli Attack
1	e5	C20	0	King's Pawn Game
2	Bb5	C20	0	Portuguese Opening
3	Bc5 b4	C20	18	: Miguel Gambit
3	Nf6 d4	C20	20	Portuguese Gambit
2	Bc4	C23	0	Bishop's Opening
3	Bc5	C23	16	: Boi Variation
4	Qe2	C23	18	Lopez Variation
5	Nc6 c3 Nf6 f4	C23	24	Gambit
5	Nf6 f4	C23	24	Variation, Lopez Gambit
4	b4	C23	18	McDonnell Gambit
5	Bxb4 c3	C23	34	, La Bourdonnais-Denker Gambit
6	f4	C23	36	McDonnell Double Gambit
4	c3	C23	18	Philidor Variation
5	Qg5	C23	18	del Rio Variation
5	d5	C23	18	Lewis Countergambit
6	Bxd5 Nf6	C23	37	
8	d4	C23	37	, Walker Variation
4	d4	C23	24	Gambit
4	f4	C23	18	Stein Gambit
3	Nf6	C24	18	Berlin Defense
4	Nc3 b5	C26	18	Horwitz Gambit
4	Ne2 Nxe4 Nec3	C24	18	Pachman Gambit
4	d3 Be7 Nf3 O-O	C24	18	Kitchener Folly
5	Nc6 Nc3	C24	18	Vienna Hybrid
5	c6	C24	18	Paulsen Defense
4	d4	C24	19	onziani Gambit
5	exd4 Nf3	C43	18	Urusov Gambit
7	Nxe4 Qxd4	C43	31	, Keidansky Gambit
6	c3	C24	18	Warsaw Gambit
4	f3 Bc5 Ne2 Nc6 b4	C24	18	Krejcik Gambit
4	f4	C24	18	Berlin Defense, Greco Gambit
3	b5 Bxb5 c6	C23	18	Anderssen Gambit
5	f5	C23	18	Thorold Gambit
3	c6	C23	18	Philidor Counterattack
3	d5	C23	18	Khan Gambit
3	f5	C23	18	Calabrese Countergambit
4	d3	C23	41	, Jaenisch Variation
2	Bd3	C20	0	King's Pawn Game: Tortoise Opening
2	Ke2	C20	0	Bongcloud Attack
2	Nc3	C25	0	Vienna Game
3	Bb4 Qg4 Nf6	C25	11	: Zhuravlev Countergambit
3	Bc5	C25	13	Anderssen Defense
4	Na4	C25	13	Hamppe-Meitner Variation
4	Qg4	C25	13	Giraffe Attack
3	Nc6	C25	13	Max Lange Defense
4	Bc4 Bc5 Qg4 Qf6 Nd5	C25	13	Stanley Variation, Meitner-Mieses Gambit
5	Nf6	C28	32	Three Knights Variation
6	d3 Bb4 Ne2	C28	0	Bishop's Opening: Vienna Hybrid, Hromádka Variation
6	f4 Nxe4 Nf3	C28	0	Vienna Game: Stanley Variation, Bronstein Gambit
4	d4	C25	13	Fyfe Gambit
5	f5	C25	13	Philidor Countergambit
4	f4	C25	10	bit, with Max Lange Defense
5	Bc5 fxe5 d6	C25	37	: Quelle Gambit
5	exf4 Nf3	C25	39	Knight Variation
7	Be7	C25	39	Cunningham Defense
7	g5 d4	C25	39	Pierce Gambit
6	d4	C25	39	Steinitz Gambit
7	Qh4+ Ke2	C25	54	, Main Line
9	b6	C25	56	Fraser-Minckwitz Defense
9	d5	C25	56	Zukertort Defense
9	d6	C25	56	Paulsen Defense
9	g5	C25	56	Sörensen Defense
4	g3	C25	10	e: Paulsen Variation
5	Bc5 Bg2 h5 Nf3 h4	C25	30	, Mariotti Gambit
5	Nf6 Bg2 Bc5 Nge2 d5	C25	30	
3	Nf6	C26	13	Falkbeer Variation
4	Bc4	C26	13	Stanley Variation
5	Bb4	C26	30	, Reversed Spanish
5	Bc5 Nge2 b5	C26	32	Eifel Gambit
6	d3	C26	0	Bishop's Opening: Vienna Hybrid, Spielmann Attack
5	Nxe4	C27	0	Vienna Game: Frankenstein-Dracula Variation
6	Qh5 Nd6 Bb3 Be7	C27	13	Stanley Variation, Monster Declined
4	a3	C26	13	Mengarini Variation
4	f4	C29	13	Vienna Gambit
5	d5	C29	26	, Main Line
6	d3	C29	28	Steinitz Variation
6	fxe5 Nxe4 Nf3 Be7	C29	28	Breyer Variation
8	Qf3	C29	28	Paulsen Attack
9	f5	C29	28	Bardeleben Variation
8	d3	C29	28	Modern Variation
4	g3	C26	13	Mieses Variation
5	d5 exd5 c6	C26	29	, Erben Gambit
3	d6 f4	C25	13	Omaha Gambit
2	Ne2	C20	0	King's Pawn Game: Alapin Opening
2	Nf3	C40	7	Knight Opening
3	Bc5	C40	7	Pawn Game: Busch-Gass Gambit
4	Nxe5 Nc6	C40	35	, Chiodini Gambit
3	Nc6	C44	7	Knight Opening: Normal Variation
4	Bb5	C60	0	Ruy Lopez
5	Bb4	C60	9	: Alapin Defense
6	c3 Ba5 Bxc6 dxc6	C60	25	, Alapin Gambit
5	Bc5	C64	11	Classical Variation
6	O-O Nd4 b4	C64	21	Defense, Zaitsev Variation
6	b4	C64	21	Variation, Spanish Wing Gambit
6	c3	C64	32	Central Variation
7	Bb6	C64	33	harousek Variation
7	Qe7	C64	21	Defense, Boden Variation
7	d5	C64	21	Variation, Konikowski Gambit
7	f5	C64	32	Cordel Gambit
5	Be7	C60	11	Lucena Variation
5	Na5	C60	11	Pollock Defense
5	Nb8	C60	11	Retreat Variation
5	Nd4	C61	11	Bird Variation
6	Nxd4 exd4 O-O Ne7	C61	25	, Paulsen Variation
5	Nf6	C65	12	erlin Defense
6	Nxe5	C65	11	Halloween Attack
6	O-O	C65	11	Berlin Defense
7	Bc5	C65	25	, Beverwijk Variation
8	c3	C65	11	Classical Variation, Zukertort Gambit
7	Ng4	C65	11	Berlin Defense, Fishing Pole Variation
7	Nxe4	C67	27	Rio Gambit Accepted
8	d4 Be7	C67	31	de Janeiro Variation
9	Nd6	C67	27	l'Hermet Variation
9	a6	C67	27	Rosenthal Variation
7	d6	C66	27	Improved Steinitz Defense
8	d4 Nd7	C66	11	Closed Berlin Defense, Chigorin Variation
6	d3	C65	11	Berlin Defense, Anti-Berlin Variation
7	Bc5 Be3	C65	48	, Kaufmann Variation
7	Ne7	C65	50	Mortimer Variation
8	Nxe5 c6	C65	59	Trap
7	d6 Bxc6+	C65	50	Anderssen Variation
8	c4	C65	50	Duras Variation
6	d4 exd4 O-O	C65	27	Nyholm Attack
5	Nge7	C60	11	Cozio Defense
6	Nc3 g6	C60	24	, Paulsen Variation
5	Qe7	C60	11	Vinogradov Variation
5	a5	C60	11	Bulgarian Variation
5	a6	C70	11	Morphy Defense
6	Ba4 Bb4	C70	25	, Alapin's Defense Deferred
7	Bc5	C70	27	Classical Defense Deferred
7	Nd4	C70	11	Bird's Defense Deferred
7	Nf6 Bxc6	C77	11	Morphy Defense, Bayreuth Variation
8	Nc3	C77	27	Tarrasch Variation
8	O-O	C78	25	
9	Bc5	C78	25	, Møller Variation
9	Be7	C84	11	Closed
9	Nxe4	C80	11	Open
9	d5	C78	11	Central Countergambit
9	d6	C79	11	Morphy Defense, Steinitz Deferred
9	g6	C78	11	Brix Variation
8	Qe2	C77	11	Morphy Defense, Wormald Attack
8	c3	C77	27	Jaffe Gambit
8	d3	C77	27	Anderssen Variation
8	d4	C77	27	Mackenzie Variation
7	Nge7	C70	27	Cozio Defense
7	b5	C70	28	aro Variation
8	Bb3 Bc5	C70	27	Graz Variation
9	Na5	C70	27	Norwegian Variation
7	d6	C71	27	Modern Steinitz Defense
8	Nc3	C71	50	
8	O-O	C72	50	
8	c3	C74	50	
9	Bd7	C75	50	
9	f5	C74	50	, Siesta Variation
8	c4	C71	50	
7	f5	C70	27	Schliemann Defense Deferred
8	exf5	C70	54	, Jaenisch Gambit Deferred
7	g6	C70	27	Fianchetto Defense Deferred
6	Bxc6	C68	11	Exchange Variation
7	bxc6	C68	29	, Lutikov Variation
7	dxc6 Nc3	C68	31	Keres Variation
8	O-O	C69	31	Normal Variation
9	Bd6	C69	31	King's Bishop Variation
9	Qd6	C69	31	Bronstein Variation
9	f6	C69	31	Gligoric Variation
5	b6	C60	11	Rotary-Albany Gambit
5	d5	C60	11	Spanish Countergambit
6	Nxe5 Qg5 Nxc6	C60	32	, Harding Gambit
8	O-O	C60	42	Countergambit, Fricke Gambit
5	d6	C62	12	teinitz Defense
6	d4	C62	27	
7	Bd7 c4	C62	27	, Semi-Duras Variation
7	exd4 O-O	C62	29	Center Gambit
5	f5	C63	12	chliemann Defense
6	Bxc6	C63	29	, Exchange Variation
6	Nc3	C63	31	Dyckhoff Variation
7	fxe4 Nxe4 Be7	C63	31	Kostić Defense
9	Nf6	C63	31	Tartakower Variation
6	d4	C63	31	Schönemann Attack
6	exf5	C63	31	Jaenisch Gambit Accepted
5	f6	C60	11	Nürnberg Variation
5	g5	C60	11	Brentano Gambit
5	g6	C60	11	Fianchetto Defense
6	c3 f5	C60	29	, Kevitz Gambit
4	Bc4	C50	0	Italian Game
5	Bc5	C50	12	: Giuoco Piano
6	Bxf7+	C50	14	Jerome Gambit
6	Nc3 Nf6	C50	0	Four Knights Game: Italian Variation
8	O-O O-O	C50	0	Italian Game: Giuoco Pianissimo
6	O-O Nf6 c3	C50	14	Classical Variation, Albin Gambit
8	d4	C50	14	Deutz Gambit
6	b4	C51	14	Evans Gambit
7	Bb6	C51	26	 Declined
8	Bb2	C51	35	, Cordel Variation
8	a4	C51	35	
7	Bxb4	C51	27	Accepted
8	c3 Ba5	C52	26	, Main Line
9	Bc5	C51	29	cDonnell Defense
9	Bd6	C51	28	Stone-Ware Variation
9	Be7	C51	28	Anderssen Variation
9	Bf8	C51	28	Mayet Defense
7	b5	C51	28	Fontaine Countergambit
7	d5	C51	28	Hein Countergambit
6	c3	C53	14	Classical Variation
7	Nf6	C54	33	
8	b4	C53	14	Bird's Attack
8	d3	C54	14	Classical Variation, Giuoco Pianissimo
9	a6	C54	52	, with a6
9	d5	C54	35	with d5
9	d6	C54	35	Giuoco Pianissimo
8	d4	C54	35	Center Attack
7	Qe7	C53	36	losed Variation
8	d4 Bb6	C53	36	enter Holding Variation
6	d3	C50	14	Giuoco Pianissimo
7	Nf6 Nc3	C50	31	, Italian Four Knights Variation
7	f5	C50	33	Lucchini Gambit
8	Ng5 f4	C50	33	Dubois Variation
6	d4	C50	14	Rosentreter Gambit
5	Be7	C50	14	Hungarian Defense
6	d4 exd4	C44	0	Scotch Game: Benima Defense
5	Nd4	C50	0	Italian Game: Blackburne-Kostić Gambit
5	Nf6	C55	14	Two Knights Defense
6	Nc3	C47	0	Four Knights Game: Italian Variation
7	Nxe4 Bxf7+	C47	36	, Noa Gambit
8	Nxe4 d5	C55	0	Italian Game: Two Knights Defense
6	Ng5	C57	33	, Knight Attack
7	Bc5	C57	35	Traxler Counterattack
8	Bxf7+	C57	56	, Bishop Sacrifice Line
8	Nxf7	C57	58	Knight Sacrifice Line
7	Nxe4	C57	35	Ponziani-Steinitz Gambit
7	d5	C57	35	Knight Attack, Normal Variation
8	exd5 Na5	C58	35	Polerio Defense
9	Nb4	C57	35	Kloss Gambit
9	Nd4	C57	35	Fritz Variation
9	b5	C57	35	Ulvestad Variation
6	d3	C55	35	Modern Bishop's Opening
7	Bc5	C50	14	Giuoco Pianissimo, Normal
7	Be7	C55	14	Two Knights Defense, Modern Bishop's Opening
7	h6 O-O d6	C55	58	
6	d4	C56	35	Open Variation
7	d6	C56	14	Scotch Invitation Declined
7	exd4	C44	0	Scotch Game: Scotch Gambit, Dubois Réti Defense
8	Ng5	C56	0	Italian Game: Two Knights Defense, Perreux Variation
8	O-O	C56	14	Scotch Gambit
9	Nxe4	C56	27	, Double Gambit Accepted
8	e5 Ng4	C44	0	Scotch Game: Scotch Gambit, Kingside Variation
5	d6	C50	0	Italian Game: Paris Defense
5	f5	C50	14	Rousseau Gambit
5	h6	C50	14	Anti-Fried Liver Defense
4	Be2	C44	0	King's Pawn Game: Tayler Opening
5	Nf6 d3 d5 Nbd2	C44	32	, Inverted Hanham
6	d4	C44	32	
7	exd4 e5	C44	32	, Basman Gambit
4	Nc3	C46	0	Three Knights Opening
5	Bb4	C46	21	
6	Nd5 Nf6	C46	21	: Schlechter Variation
5	Nf6	C47	0	Four Knights Game
6	Bb5	C48	17	: Spanish Variation
7	Bb4	C49	36	, Double Spanish
7	Bc5	C48	38	Classical Variation
7	Nd4	C48	38	Rubinstein Variation
8	Be2	C48	58	
8	Nxd4	C48	58	 Accepted
7	a6 Bxc6	C48	39	anken Variation
6	Nd5	C47	19	Naroditsky Variation
6	Nxe5	C47	19	Halloween Gambit
6	a3	C47	19	Gunsberg Variation
7	d6 h3	C47	37	, Provincial Opening
6	d4	C47	19	Scotch Variation
7	Bb4 Nxe5	C47	35	, Krause Gambit
9	Qe7	C47	50	, Leonhardt Defense
8	d5 Nd4	C47	37	Oxford Gambit
7	exd4	C47	35	 Accepted
8	Nd5	C47	35	, Belgrade Gambit
8	Nxd4 Nxe4	C47	37	Schmid Defense
6	g3	C47	19	Glek System
5	f5	C46	0	Three Knights Opening: Winawer Defense
5	g6	C46	23	Steinitz Defense
6	d4 exd4 Nd5	C46	31	-Rosenthal Variation
4	Nxe5	C44	0	Irish Gambit
5	Nxe5 d4	C44	0	King's Pawn Game: Schulze-Müller Gambit
4	b4	C44	18	Pachman Wing Gambit
4	c3	C44	0	Ponziani Opening
5	Be7	C44	16	: Romanishin Variation
5	Nf6	C44	18	Jaenisch Counterattack
6	Bc4	C44	18	Neumann Gambit
6	d3	C44	18	Jaenisch Counterattack
7	d5	C44	40	
8	Nbd2	C44	40	
6	d4 Nxe4 d5 Bc5	C44	18	Vukovic Gambit
5	Nge7	C44	18	Réti Variation
5	d5 Bb5	C44	18	Spanish Variation
6	Qa4 Bd7	C44	18	Caro Gambit
7	Nf6	C44	18	Leonhardt Variation
7	f6	C44	18	Steinitz Variation
5	f5	C44	18	Ponziani Countergambit
6	d4 d6 d5	C44	40	, Schmidt Attack
4	c4	C44	0	King's Pawn Game: Dresden Opening
5	Nf6 Nxe5	C44	0	Dresden Opening: The Goblin
4	d3 f5 exf5	C44	0	Latvian Gambit: Clam Gambit
4	d4	C44	0	Scotch Game
5	Nxd4	C44	11	: Lolli Variation
6	Nxd4 exd4 Bc4	C44	13	Napoleon Gambit
8	Qxd4	C44	13	Lolli Variation
5	exd4	C44	11	
6	Bb5	C44	11	: Relfsson Gambit
6	Bc4	C44	13	Scotch Gambit
7	Bb4+	C44	26	, London Defense
7	Bc5	C44	13	Haxo Gambit
8	Ng5	C44	13	Scotch Gambit, Sarratt Variation
7	Nf6 O-O Bc5	C56	0	Italian Game: Scotch Gambit, Max Lange Attack
9	Be7	C56	29	de Riviere Defense
9	d6	C56	29	Janowski Defense
8	e5	C44	0	Scotch Game: Scotch Gambit, Advance Variation
6	Nxd4	C45	11	
7	Bb4+	C45	11	: Malaniuk Variation
7	Bc5	C45	13	Classical Variation
8	Nb3	C45	13	Potter Variation
9	Bb4+	C45	13	Romanishin Variation
8	Nxc6 Qf6	C45	13	Classical Variation, Intermezzo Variation
7	Nf6	C45	13	Schmidt Variation
8	e5	C45	13	Alekhine Gambit
7	Qh4	C45	13	Steinitz Variation
8	Be3	C45	13	Braune Variation
8	Nb5	C45	13	Horwitz Attack
8	Nc3	C45	13	Steinitz Variation
9	Bb4	C45	13	Modern Defense
8	Nf3	C45	13	Fraser Variation
8	Nf5	C45	13	Paulsen Variation
6	c3	C44	13	Göring Gambit
7	d5	C44	13	Scotch Gambit, Göring Gambit Declined
7	dxc3 Bc4	C44	13	Göring Gambit, Double Pawn Sacrifice
8	Nxc3 Bb4	C44	28	Main Line
4	g3	C44	0	King's Knight Opening: Konstantinopolsky
3	Nf6	C42	0	Petrov's Defense
4	Bc4	C42	16	: Italian Variation
5	Nxe4 Nc3	C27	0	Bishop's Opening: Boden-Kieseritzky Gambit
7	d5	C27	42	, Lichtenhein Defense
4	Nc3	C42	0	Petrov's Defense: Three Knights Game
5	Nc6 Bb5 Nd4 O-O	C48	0	Four Knights Game: Spanish Variation, Rubinstein Variation, Henneberger Variation
4	Nxe5	C42	0	Petrov's Defense
5	Nc6	C42	16	: Stafford Gambit
6	Nxc6 dxc6	C42	33	 Accepted
8	Nc3 Bc5	C42	42	
8	d3 Bc5	C42	42	
5	Nxe4	C42	18	Damiano Variation
6	Qe2 Qe7	C42	35	, Kholmov Gambit
5	d6	C42	16	
6	Nc4	C42	16	: Paulsen Attack
6	Nd3	C42	18	Karklins-Martinovsky Variation
6	Nf3	C42	16	
7	Nxe4	C42	16	
8	Bd3	C42	16	: Millennium Attack
8	Nc3	C42	18	Nimzowitsch Attack
8	Qe2	C42	18	Cozio Attack
8	c4	C42	18	Kaufmann Attack
8	d3	C42	18	French Attack
8	d4	C42	18	Classical Attack
9	Nf6	C42	34	, Closed Variation
6	Nxf7	C42	19	ochrane Gambit
7	Kxf7 Bc4+	C42	33	, Bishop Check Line
8	d4	C42	35	Center Variation
4	Qe2 Nc6 d4	C42	18	Moody Gambit
4	d4	C43	20	dern Attack
5	Nxe4 Bd3	C43	31	, Center Variation
7	Nc6	C43	33	Murrey Variation
5	d5	C43	33	Symmetrical Variation
5	exd4	C43	31	
6	e5 Ne4 Bb5	C43	31	, Tal Gambit
8	Qe2	C43	33	Steinitz Variation
8	Qxd4	C43	33	Center Attack
3	Qe7	C40	0	Gunderam Defense
4	Bc4 f5	C40	0	King's Pawn Game: Gunderam Defense, Gunderam Gambit
3	Qf6	C40	18	McConnell Defense
4	Bc4 Qg6 O-O	C40	18	La Bourdonnais Gambit
3	c6	C40	18	Gunderam Gambit
3	d5	C40	0	Elephant Gambit
4	Nxe5 dxe4 Bc4 Qg5	C40	15	: Wasp Variation
4	exd5 Bd6	C40	17	Maróczy Gambit
5	e4	C40	17	Paulsen Countergambit
3	d6	C41	0	Philidor Defense
4	Bc4	C41	16	
5	Be7	C41	16	
6	c3	C41	16	: Steinitz Variation
5	f5	C41	18	Lopez Countergambit
4	d4	C41	16	
5	Bd7	C41	16	: Philidor Gambit
5	Bg4 dxe5 Nd7	C41	18	Albin-Blackburne Gambit
5	Nd7	C41	18	Hanham Variation
6	Bc4 Nb6	C41	34	, Sharp Variation
7	c6 Nc3	C41	37	chlechter Variation
8	Ng5	C41	24	, Kmoch Variation
8	O-O	C41	24	 Variation, Krause Variation
8	c3	C41	36	Delmar Variation
6	Nc3 Ngf6 g4	C41	18	Lion Variation, Shirov Gambit
5	Nf6	C41	18	Nimzowitsch Variation
6	Bc4	C41	39	, Klein Variation
6	Nc3 Nbd7	C41	18	Lion Variation
6	Ng5	C41	18	Nimzowitsch, Locock Variation
6	dxe5	C41	29	 Variation
7	Nxe4 Nbd2	C41	39	, Sokolsky Variation
8	Qd5	C41	41	Rellstab Variation
5	exd4	C41	18	Exchange Variation
6	Bc4	C41	18	Morphy Gambit
6	Nxd4	C41	18	Exchange Variation
7	Nf6	C41	36	
7	d5 exd5	C41	18	Paulsen Attack
7	g6	C41	18	Larsen Variation
6	Qxd4 Bd7	C41	18	Boden Variation
6	c3	C41	19	ird Gambit
5	f5	C41	18	Philidor Countergambit
6	Nc3	C41	40	, Zukertort Variation
3	f5	C40	0	Latvian Gambit
4	Bc4	C40	14	: Mayet Attack
5	Nf6	C40	28	, Morgado Defense
5	b5	C40	30	Strautins Gambit
5	fxe4 Nxe5 Nf6	C40	16	Corkscrew Countergambit
7	Qg5 d4 Qxg2	C40	16	Mayet Attack, Poisoned Pawn Variation
7	d5	C40	32	lerio-Svedenborg Variation
4	Nc3	C40	17	lotkowski Variation
4	Nxe5 Nc6	C40	16	Fraser Defense
5	Qe7	C40	16	Greco Variation
5	Qf6 Nc4	C40	14	 Accepted: Foltys-Leonhardt Variation
7	fxe4 Nc3	C40	25	Leonhardt Variation
8	d3	C40	25	Foltys Variation
6	d4	C40	25	Main Line
7	d6 Nc4	C40	25	Bilguer Variation
4	b4	C40	14	: Senechaud Gambit
4	c4	C40	16	Diepstraten Countergambit
4	d4	C40	16	Mason Countergambit
4	exf5	C40	14	 Accepted
4	g4	C40	14	: Lobster Gambit
3	f6	C40	0	King's Pawn Game: Damiano Defense
4	Nxe5 Qe7 Nf3 d5	C40	33	, Damiano Gambit, Chigorin Gambit
2	Qf3	C20	18	Napoleon Attack
2	Qg4 Nf6 Qf5	C20	12	Opening: Speers
2	Qh5	C20	12	Game: Wayward Queen Attack
3	Nf6	C20	38	, Kiddie Countergambit
2	a3	C20	18	Mengarini's Opening
2	b3	C20	12	Opening
2	c3	C20	12	Game: MacLeod Attack
3	d5 Qh5 Bd6	C20	32	, Norwalde Gambit
3	f5	C20	34	Lasa Gambit
2	c4	C20	0	English Opening: The Whale
3	d5	C20	0	King's Pawn Game: Bavarian Gambit
2	d3	C20	18	Leonardis Variation
3	Nf6 f4 Bc5	C20	18	Clam Variation, Radisch Gambit
3	d5 exd5 c6 dxc6 Nxc6	C20	18	Weber Gambit
3	f5	C20	18	Clam Variation, King's Gambit Reversed
2	d4	C20	0	Center Game
3	d5	C20	0	King's Pawn Game: Beyer Gambit
3	d6 dxe5 Bd7	C20	18	Philidor Gambit
3	exd4	C21	0	Center Game Accepted
4	Bc4	C21	11	: von der Lasa Gambit
4	Bd3	C21	13	Ross Gambit
4	Nf3	C21	13	Kieseritzky Variation
5	Bc5 c3	C21	13	Lanc-Arnold Gambit
7	dxc3 Bc4	C21	31	, Schippler Gambit
5	c5	C21	13	Kieseritzky Variation
6	Bc4	C21	34	
4	Qxd4	C21	11	
5	Nc6	C22	11	: Normal Variation
6	Qc4	C22	13	Hall Variation
6	Qe3	C22	13	Paulsen Attack Variation
7	Bb4+ c3 Be7	C22	13	Charousek Variation
7	Nf6	C22	13	Berger Variation
7	f5	C22	13	l'Hermet Variation
4	c3	C21	0	Danish Gambit
5	Ne7	C21	13	 Accepted: Svenonius Defense
5	d5	C21	14	Declined: Sörensen Defense
5	dxc3	C21	14	Accepted
6	Bc4 cxb2 Bxb2 Bb4+	C21	22	: Copenhagen Defense
9	Nf6	C21	25	lassical Defense
9	Qe7	C21	25	higorin Defense
9	d5	C21	24	Schlechter Defense
4	f4	C21	0	Center Game: Halasz-McDonnell Gambit
5	Bc5 Nf3 Nc6 c3	C21	36	, Crocodile Variation
2	f3	C20	0	King's Pawn Game: King's Head Opening
3	Nf6 Nc3	C20	37	
2	f4	C30	7	Gambit
3	Bc5	C30	13	 Declined: Classical Variation
4	Nf3 d6 Nc3 Nd7	C30	33	, Hanham Variation
6	b4	C30	33	 Variation, Rotlewi Countergambit
6	c3	C30	43	
7	f5	C30	43	, Rubinstein Countergambit
6	fxe5	C30	33	, Soldatenkov Variation
5	g5	C30	24	Senechaud Countergambit
4	Qh5	C30	24	Classical Variation, Walthoffen Attack
3	Nc6	C30	24	Queen's Knight Defense
4	Nf3 f5	C30	24	Miles Defense
5	g5	C30	24	Zilbermints Double Gambit
6	fxg5 h6	C30	24	Hobbs-Zilbermints Gambit
3	Nf6	C30	24	Petrov's Defense
3	Qf6	C30	24	Norwalde Variation
4	Nc3 Qxf4 Nf3 Bb4 Bc4	C30	42	, Bücker Gambit
6	d4	C30	44	Schubert Variation
3	Qh4+	C30	24	Keene's Defense
4	g3	C30	39	
5	Qe7	C30	29	 Defense
3	d5	C31	24	Falkbeer Countergambit
4	Nc3	C31	46	, Milner-Barry Variation
5	dxe4 Nxe4	C31	0	Van Geet Opening: Grünfeld Defense, Steiner Gambit
4	Nf3	C31	0	King's Gambit Declined: Falkbeer Countergambit, Blackburne Attack
4	d4	C31	48	Hinrichsen Gambit
4	exd5	C31	46	 Accepted
5	Bc5	C31	46	, Miles Gambit
5	c6	C31	48	Nimzowitsch-Marshall Countergambit
6	dxc6 Bc5	C31	48	Pickler Gambit
5	e4	C31	48	Staunton Line
6	Bb5+	C31	48	Anderssen Attack
6	Nc3 Nf6 Qe2	C31	48	Rubinstein Variation
6	d3	C31	48	Charousek Gambit
7	Nf6 Nd2	C32	64	, Keres Variation
8	Qe2	C32	66	Old Line
8	dxe4	C32	64	 Accepted
5	exf4	C31	48	Modern Transfer
3	exf4	C33	14	Accepted
4	Bb5	C33	22	: Schurig Gambit, with Bb5
4	Bc4	C33	24	Bishop's Gambit
5	Nc6	C33	39	, Maurian Defense
5	Ne7	C33	41	Steinitz Defense
5	Nf6	C33	41	Cozio Defense
6	Nc3	C33	41	Bogoljubow Variation
7	Bb4 e5	C33	41	Paulsen Attack
7	c6	C33	41	Bogoljubow Defense
5	Qh4+ Kf1 Bc5	C33	41	Greco Variation
7	Nc6	C33	41	Boden Variation
7	Nf6	C33	41	First Jaenisch Variation
7	b5	C33	41	Bryan Countergambit
7	d6	C33	41	Cozio Variation
7	g5	C33	41	Lopez Variation
8	Qf3	C33	41	Classical Defense, Cozio Attack
5	b5	C33	41	Kieseritzky Gambit
5	c6	C33	41	Lopez Defense
5	d5	C33	41	Bledow Variation
6	Bxd5 Nf6	C33	48	Countergambit
7	Qh4+ Kf1 Bd6	C33	42	oren-Svenonius Variation
7	c6	C33	41	Anderssen Variation
5	f5	C33	41	Gianutio Gambit
5	g5	C33	41	Anderssen Defense
4	Bd3	C33	24	Schurig Gambit, with Bd3
4	Be2	C33	24	Tartakower Gambit
5	f5 exf5 d6	C33	41	, Weiss Defense
4	Kf2	C33	25	umbleweed
4	Nc3	C33	24	Mason-Keres Gambit
4	Ne2	C33	24	Paris Gambit
4	Nf3	C34	24	King's Knight's Gambit
5	Be7	C35	24	Cunningham Defense
6	Bc4 Bh4+ g3	C35	42	, Bertin Gambit
7	Nf6	C35	44	McCormick Defense
5	Nc6	C34	24	MacLeod Defense
6	Bc4 g5	C37	24	Blachly Gambit
5	Ne7	C34	25	onsch-Osmolovsky Variation
5	Nf6	C34	24	Schallopp Defense
6	e5 Nh5 g4	C34	41	, Tashkent Attack
5	d5	C36	24	Modern Defense
6	exd5	C36	38	
7	Nf6	C36	24	Abbazia Defense
5	d6	C34	24	Fischer Defense
6	b4	C34	39	, Schulder Gambit
6	d4 Nf6 Bd3	C34	42	panish Variation
5	f5	C34	24	Gianutio Countergambit
5	g5	C34	24	King's Knight's Gambit
6	Bc4	C37	46	
7	Bg7	C38	24	Traditional Variation
8	O-O	C38	24	Hanstein Gambit
8	h4	C38	24	Philidor Gambit
7	g4 Bxf7+	C37	24	Lolli Gambit
8	Nc3	C37	24	McDonnell Gambit
8	Ne5	C37	24	Salvio Gambit
8	O-O	C37	24	Muzio Gambit, Wild Muzio Gambit
9	Qe7	C37	38	Kling and Horwitz Counterattack
9	d5	C37	38	Brentano Defense
8	d4	C37	24	Ghulam-Kassim Gambit
8	h4	C37	24	Australian Gambit
6	Nc3	C37	24	Quaade Gambit
6	d4	C37	24	Rosentreter Gambit
7	g4 Bxf4	C37	42	, Testa Variation
8	Nc3	C37	44	Sörensen Gambit
8	Ne5	C37	24	Sörensen Gambit
6	h4	C39	24	King's Knight's Gambit
7	g4 Ne5	C39	26	eseritzky Gambit
9	Be7	C39	35	, Polerio Defense
9	Bg7	C39	35	 Gambit, Paulsen Defense
9	Nc6	C39	44	Neumann Defense
9	Nf6	C39	44	Berlin Defense
9	Qe7	C39	44	Rosenthal Defense
9	d5	C39	44	Brentano Defense
9	d6	C39	44	Kolisch Defense
9	h5	C39	44	Long Whip
8	Ng5	C39	24	Allgaier Gambit
9	Nf6	C39	32	, Schlechter Defense
5	h5	C34	24	Wagenbach Defense
5	h6	C34	24	Becker Defense
4	Nh3	C33	24	Eisenberg Variation
4	Qe2	C33	24	Basman Gambit
4	Qf3	C33	25	reyer Gambit
4	Qg4	C33	24	Dodo Variation
4	Qh5	C33	24	Carrera Gambit
4	b3	C33	24	Orsini Gambit
4	d4	C33	24	Villemson Gambit
4	g3	C33	24	Gaga Gambit
4	h4	C33	24	Stamma Gambit
3	f5	C30	14	Declined: Panteldakis Countergambit
4	exf5 Bc5	C30	49	, Schiller's Defense
5	Qh4+	C30	51	Greco Variation
5	exf4 Qh5+ Ke7	C30	51	Shirazi Line
3	f6 fxe5 Nc6	C30	24	Soller-Zilbermints Gambit
3	g5	C30	24	Zilbermints Double Countergambit
1	e6	C00	0	French Defense
2	Bb5	C00	14	: Bird Invitation
2	Nc3	C00	16	Queen's Knight
3	d5 f4	C00	16	Pelikan Variation
2	Nf3	C00	16	Knight Variation
3	d5 Nc3	C00	16	Two Knights Variation
4	e5 c5 b4	C00	16	Wing Gambit
3	f5	C00	16	Knight Variation, Franco-Hiva Gambit
2	Qe2	C00	16	Chigorin Variation
2	b3	C00	16	Horwitz Attack
3	d5 Bb2	C00	30	, Papa-Ticulat Gambit
2	b4	C00	16	Banzai-Leong Gambit
3	Bxb4 e5	C00	35	, Pinova Gambit
2	c4	C00	16	Steiner Variation
3	d5 cxd5 exd5 Qb3	C00	16	Orthoschnapp Gambit
2	d3	C00	16	King's Indian Attack
3	d5 Nd2 Nf6 Ngf3 Nc6 Be2	C00	16	Reversed Philidor Formation
3	f5	C00	16	King's Indian Attack, Franco-Hiva Gambit
2	d4	C00	16	Normal Variation
3	Nf6	C00	16	Mediterranean Defense
3	a6	C00	16	St. George Defense
4	c4	C00	34	, Three Pawn Attack
5	b5	C00	36	Sanky-George Gambit
6	cxb5 axb5	C00	37	t. George Gambit
3	b5	C00	16	Baeuerle Gambit
3	c5	C00	16	Franco-Sicilian Defense
4	d5	A43	0	Benoni Defense: French Benoni
3	d5	C00	0	French Defense
4	Bd3	C00	14	: Schlechter Variation
4	Be3	C00	16	Alapin Gambit
4	Nc3	C10	16	Paulsen Variation
5	Bb4	C15	16	Winawer Variation
6	Bd2	C15	33	, Fingerslip Variation
7	Ne7 Nb1	C15	55	, Schwarz's Line
7	dxe4 Qg4 Qxd4	C15	57	Kunin Double Gambit
6	Ne2	C15	35	Alekhine-Maróczy Gambit
7	Nf6 Bg5	C15	16	McCutcheon Variation, Wolf Gambit
7	dxe4 a3 Bxc3+	C15	16	Winawer Variation, Alekhine Gambit Accepted
6	e5	C16	36	dvance Variation
7	Qd7	C16	35	Petrosian Variation
7	c5	C17	35	Advance Variation
8	Bd2	C17	35	Bogoljubow Variation
8	Qg4	C17	35	Advance Variation, Moscow Variation
8	a3	C17	52	
9	Ba5	C17	35	Retreat Variation
6	exd5	C15	35	Delayed Exchange Variation
5	Nc6	C10	16	Hecht-Reefschläger Variation
5	Nf6	C11	16	Classical Variation
6	Bd3	C11	35	, Swiss Variation
6	Be3	C11	16	Henneberger Variation
6	Bg5	C11	16	Classical Variation
7	Bb4	C12	16	McCutcheon Variation
8	e5	C12	36	, Advance Variation
8	exd5	C12	38	Exchange Variation
7	Be7	C13	16	Classical Variation, Normal Variation
8	Bxf6	C13	37	Richter Attack
8	e5 Ne4	C13	37	Tartakower Variation
9	Ng8	C13	37	Vistaneckis Variation
7	dxe4	C11	37	Burn Variation
8	Nxe4 Be7	C13	35	
6	e5	C11	35	, Steinitz Variation
7	Nfd7 Nce2	C11	38	hirov-Anand Variation
8	Qg4	C11	16	Steinitz Variation, Gledhill Attack
6	exd5	C11	16	Classical Variation, Delayed Exchange Variation
7	exd5 Bg5	C01	16	Exchange Variation, Svenonius Variation
5	a6 Nf3 Nf6 e5 Nfd7	C11	16	Steinitz Variation
5	c5	C10	16	Marshall Gambit
5	dxe4	C10	16	Rubinstein Variation
6	Nxe4 Bd7 Nf3 Bc6	C10	36	, Fort Knox Variation
7	Nd7	C10	38	Blackburne Defense
7	Qd5	C10	38	Maric Variation
7	e5	C10	38	Ellis Gambit
4	Nd2	C03	16	Tarrasch Variation
5	Be7	C03	34	, Morozevich Variation
5	Nc6	C03	36	Guimard Defense
6	Ngf3 Nf6	C04	51	, Main Line
6	c3 dxe4 Nxe4 e5	C03	53	Thunderbunny Variation
5	Nf6	C05	36	Closed Variation
6	e5 Nfd7 f4	C05	36	Pawn Center Variation
5	a6	C03	36	Modern System
5	c5	C07	36	Open System
6	Ngf3	C07	47	, Euwe-Keres Line
6	c3	C07	49	Süchting Line
6	exd5 Nf6	C07	50	haposhnikov Gambit
7	Qxd5	C07	36	Chistyakov Defense
7	exd5	C08	36	Open System
8	Ngf3 Nc6	C09	47	, Main Line
9	c4	C08	49	Advance Line
5	f5	C03	36	Haberditz Variation
4	Nf3	C00	16	Perseus Gambit
5	dxe4 Ne5	C00	16	Carlson Gambit
4	Nh3	C00	16	Morphy Gambit
4	Qe2 e5 f4 exf4	C00	16	Hoffmann Gambit
4	c4	C00	16	Diemer-Duhm Gambit
5	dxe4	C00	34	 Accepted
4	e5	C02	16	Advance Variation
5	Bd7	C02	33	, Extended Bishop Swap
5	c5	C02	33	
6	Nf3	C02	33	, Nimzowitsch System
7	cxd4 Bd3	C02	35	Ruisdonk Gambit
6	Qg4	C02	35	Nimzowitsch Attack
7	cxd4 Nf3	C02	47	Gambit
6	b4	C02	35	Frenkel Gambit
6	c3	C02	33	
7	Nc6	C02	33	
8	Be3	C02	33	, Kupreichik Variation
8	Nf3	C02	35	Paulsen Attack
9	Bd7	C02	35	Euwe Variation
7	Qb6 Nf3 Bd7	C02	35	Wade Variation
6	dxc5	C02	35	Steinitz Variation
4	exd5	C01	16	Exchange Variation
5	exd5 Nc3	C01	34	
7	Nf6 Bg5 Nc6	C01	34	, Bogoljubow Variation
6	Nf3	C01	34	
6	c4	C01	34	, Monte Carlo Variation
3	f5	C00	16	Franco-Hiva Gambit
4	exf5	C00	34	 Accepted
2	e5	C00	16	Steinitz Attack
2	f4	C00	16	La Bourdonnais Variation
3	d5 Nf3 dxe4	C00	40	, Reuter Gambit
2	g3	C00	16	Réti-Spielmann Attack
1	f5	B00	0	Duras Gambit
1	f6	B00	0	Barnes Defense
2	d4 Kf7	B00	0	Fried Fox Defense
3	b6 c4 Bb7	B00	0	Owen Defense: Unicorn Variation
1	g5	B00	0	Borg Defense
2	d4 Bg7	B00	12	: Borg Gambit
3	e5	B00	14	Zilbermints Gambit
3	h6 h4 g4	B00	14	Troon Gambit
1	g6	B06	0	Modern Defense
2	Bc4 Bg7 Qf3 e6 d4 Bxd4	B06	14	: Bishop Attack, Monkey's Bum
2	Nc3 Bg7 f4 c5 Nf3 Qa5	B06	0	Pterodactyl Defense: Austrian, Grand Prix Pterodactyl
2	Nf3 Bg7 d4 c5 Bc4 cxd4 Nxd4 Qa5+	B06	21	Western, Siroccopteryx
2	d4 Bg7	B06	0	Modern Defense
4	Bc4	B06	14	: Bishop Attack
5	b5	B06	29	, Bücker Gambit
4	Bd2	B06	16	Westermann Gambit
4	Bd3	B06	17	ind Gambit
4	Nc3	B06	16	Standard Line
5	b6	B06	16	Mongredien Defense, with Nc3
5	c5	B06	18	dern Pterodactyl
6	Be3	B06	0	Pterodactyl Defense: Eastern, Anhanguera
6	Nf3 Qa5 Bc4	B06	21	Sicilian, Siroccopteryx
8	Be2 d6	B06	31	Quetzalcoatlus
6	d5 Bxc3+ bxc3 Qa5	B06	21	Eastern, Benoni Pteranodon
6	dxc5 Bxc3+ bxc3 Qa5	B06	30	Pteranodon
7	Qa5	B06	30	Rhamphorhynchus
5	c6 Bc4 d6 Qe2	B06	0	Modern Defense: Anti-Modern
6	Nf3 d6	B06	16	Two Knights Variation, Suttles Variation
6	f4 d5 e5 h5	B06	16	Gurgenidze Defense
5	d5	B06	16	Lizard Defense, Mittenberger Gambit
5	d6	B06	16	Standard Defense
6	Nf3	B06	16	Two Knights Variation
6	f4	B06	16	Pseudo-Austrian Attack
4	Nf3 b6	B06	16	Mongredien Defense, with Nf3
5	c5 Be3 Qa5+	B06	0	Pterodactyl Defense: Western, Anhanguera
5	d6 c3	B07	0	Modern Defense: Geller's System
4	c4 c5 Nc3 d6 Be3 Qa5	B06	0	Pterodactyl Defense: Central, Anhanguera
8	dxc5 Qa5	B06	30	Quetzalcoatlus Gambit
6	Nf3 d6 Be2 Qa5+	B06	0	Modern Defense: Semi-Averbakh Variation, Pterodactyl Variation Declined
6	d5 d6 Nc3 Qa5	B06	0	Pterodactyl Defense: Central, Benoni Quetzalcoatlus
5	d5 exd5 c6 dxc6 Bxd4	B06	0	Modern Defense: Dunworthy Variation
4	f4	B06	16	Three Pawns Attack
5	c5 Nf3 Qa5+	B06	0	Pterodactyl Defense: Austrian, Austriadactylus Western
6	c3 Qa5	B06	31	Pteranodon
4	g3 c5 Nf3 Qa5+	B06	21	Fianchetto, King Pterodactyl
6	dxc5 Qa5+	B06	33	Rhamphorhynchus
3	Nf6	B06	0	Modern Defense: Norwegian Defense
4	e5 Nh5 Be2 d6	B06	33	, Norwegian Gambit
3	Nh6 Nc3 f5 Bxh6 Bxh6 exf5 O-O	B06	16	Masur Gambit
3	d6 Nc3 c6	B06	0	Rat Defense: Accelerated Gurgenidze
3	f5	B06	0	Modern Defense: Fianchetto Gambit
1	h5	B00	0	Goldsmith Defense
2	d4 Nf6	B00	17	: Picklepuss Defense
1	h6	B00	0	Carr Defense
2	d4 e5	B00	12	: Zilbermints Gambit
0	f3	A00	0	Barnes Opening
1	d5 e4 g6 d4 dxe4 c3	A00	14	: Gedult Gambit
1	e5 Kf2	A00	16	Hammerschlag
2	e4 Nf6 Bc4	C20	16	Walkerling
2	g4 Qh4#	A00	16	Fool's Mate
1	f5 e4 fxe4 Nc3	A00	16	Gedult Gambit
0	f4	A02	1	ird Opening
1	Nf6 Nf3 g6 b4	A02	12	: Batavo-Polish Attack
2	c4	A02	14	Mujannah
1	Nh6	A02	14	Horsefly Defense
1	b5	A02	14	Myers Defense
1	d5	A03	14	Dutch Variation
2	Nf3 Nf6 e3 c5	A03	14	Lasker Variation
2	b3 Nf6 Bb2 d4 Nf3 c5 e3	A03	14	Thomas Gambit
2	c4	A03	14	Sturm Gambit
2	e4	A03	14	Williams Gambit
3	dxe4 Nc3 Nf6 Nge2	A03	22	-Zilbermints Gambit
6	Qe2	A03	22	 Gambit
2	g4	A03	14	Dutch Variation, Dudweiler Gambit
1	e5	A02	14	From's Gambit
2	Nc3	A02	27	, Bahr Gambit
2	d4 exd4 Nf3 c5 c3	A02	14	Siegener Gambit
2	fxe5 Nc6	A02	15	chlechter Gambit
3	Ne7	A02	14	Platz Gambit
3	d6 exd6 Bxd6 Nf3 Nh6 d4	A02	14	From's Gambit, Lipke Variation
7	g5	A02	30	asker Variation
5	Nf6	A02	31	ngheld Gambit
3	f6	A02	14	Lasker Gambit
1	f5 d4 d5	A02	14	Double Duck Formation
2	e4	A02	14	Wagner-Zwitersch Gambit
3	fxe4 Nc3 Nf6 g4	A02	14	Swiss Gambit
1	g5	A02	14	Hobbs Gambit
1	h6 Nf3 g5	A02	19	-Zilbermints Gambit
0	g3	A00	0	Hungarian Opening
1	Nc6 Nc3 d5 d4 e5 dxe5 d4 Ne4 f5	A00	17	: Asten Gambit
1	Nf6	A00	19	Indian Defense
1	c5	A00	19	Sicilian Invitation
1	d5 Bg2 c5	A00	19	Reversed Modern Defense
3	c6	A00	19	Slav Formation
3	e5 b4	A00	19	Bücker Gambit
4	c4 dxc4 b3	A00	19	Winterberg Gambit
3	e6	A00	19	Catalan Formation
2	Nf3 g5	A07	19	Wiedenhagen-Beta Gambit
1	e5 Nf3	A00	19	Reversed Alekhine
3	e4 Ng1 Nf6 b4	A00	28	Brooklyn Defense, Brooklyn Benko Gambit
4	Nh4	A00	28	Norwegian Defense
2	Nh3 d5 f4 Bxh3 Bxh3 exf4 O-O	A00	19	Paris Gambit
2	a3 d5 Nf3 e4 Nh4 Be7 d3	A00	19	Burk Gambit
1	f5	A00	19	Dutch Defense
2	e4 fxe4 Qh5+ g6	A00	19	Pachman Gambit
1	g5	A00	19	Myers Defense
1	g6	A00	19	Symmetrical Variation
1	h5	A00	0	Lasker Simul Special
2	Nf3 h4	A00	0	Hungarian Opening: Van Kuijk Gambit
0	g4	A00	0	Grob Opening
1	d5 Bg2	A00	12	: Grob Gambit
3	Bxg4 c4	A00	25	, Fritz Gambit
5	d4	A00	14	Romford Countergambit
6	Bxb7 Nd7 Bxa8 Qxa8	A00	14	Grob Gambit, Fritz Gambit, Romford Countergambit
3	c6	A00	25	 Declined
4	c4 dxc4 b3	A00	25	, Richter-Grob Gambit
4	g5	A00	14	Spike Attack
3	e5 d4 exd4 c3	A00	14	Grob Gambit, Keres Gambit
3	h5 gxh5	A00	27	Basman Gambit
2	e4 dxe4 Nc3	A00	14	Zilbermints Gambit
5	e5 d3	A00	32	, Zilbermints-Hartlaub Gambit
5	h5	A00	34	Schiller Defense
2	h3 e5 Bg2 c6	A00	14	Keene Defense
1	e5 Bg2 d5 c4	A00	14	Spike, Hurst Attack
2	h3 Nc6	A00	14	London Defense
1	f5	A00	14	Alessi Gambit
1	g5	A00	14	Double Grob
2	f4	A00	25	, Coca-Cola Gambit
0	h3	A00	0	Clemenz Opening
1	d5 a3 e5	A00	1	reepy Crawly Formation: Classical Defense
1	e5 a3	A00	0	Global Opening
1	h5 g4	A00	0	Clemenz Opening: Spike Lee Gambit
0	h4	A00	0	Kádas Opening
1	a5	A00	13	: Koola-Koola Variation
1	c5 b4	A00	16	ádas Gambit
1	d5 Rh3	A00	15	Beginner's Trap
2	d4 c5 Nf3 cxd4 c3	A00	15	Kádas Gambit
4	e4	A00	15	Myers Variation
1	e5 d4 exd4 c3	A00	15	Kádas Gambit
1	f5 e4 fxe4 d3	A00	15	Steinbok Gambit
1	g5	A00	16	chneider Gambit
`.split(`
`)){let[i,a,o,s,c]=r.split(`	`);c!==void 0&&(t=[...t.slice(0,Number(i)),...a?a.split(` `):[]],n=n.slice(0,Number(s))+c,e.set(t.join(` `),`${o} ${n}`))}return e}function n(n){e??=t();let r=``,i=null;for(let t of n.slice(0,10))r+=`${r?` `:``}${t.replace(/[+#]$/,``)}`,i=e.get(r)??i;return i}export{n as openingName};